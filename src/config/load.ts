import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodexError } from "../protocol/error.js";
import type { SandboxPolicy } from "../protocol/types.js";
import type { Config } from "./config.js";
import { codexHome, type Environment } from "./home.js";
import { resolveProvider } from "./providers.js";
import { Table } from "./table.js";

/** Where the settings come from, and what overrides them. */
export interface ConfigSources {
  env: Environment;
  cwd: string;
  /** Settings by their name in the file; they win over the file. */
  overrides?: Record<string, unknown>;
}

/** Reads the user's settings and fills in the defaults. */
export async function loadConfig({ env, cwd, overrides }: ConfigSources): Promise<Config> {
  const home = codexHome(env);
  const file = join(home, "config.toml");
  const table = new Table({ ...(await readToml(file)), ...overrides }, file);
  return {
    home,
    cwd,
    model: table.string("model") ?? "gpt-5",
    provider: resolveProvider(table.string("model_provider") ?? "openai", table, env),
    approval_policy: table.oneOf("approval_policy", approvalPolicies) ?? "on-request",
    sandbox_policy: sandboxPolicy(table),
    model_reasoning_effort: table.oneOf("model_reasoning_effort", efforts),
    model_reasoning_summary: table.oneOf("model_reasoning_summary", summaries) ?? "auto",
    model_verbosity: table.oneOf("model_verbosity", ["low", "medium", "high"]),
    model_context_window: table.integer("model_context_window"),
    hide_agent_reasoning: table.boolean("hide_agent_reasoning") ?? false,
    show_raw_agent_reasoning: table.boolean("show_raw_agent_reasoning") ?? false,
    base_instructions: undefined,
    include_plan_tool: false,
    include_apply_patch_tool: false,
    tools: {
      web_search: table.table("tools")?.boolean("web_search") ?? false,
      view_image: table.table("tools")?.boolean("view_image") ?? true,
    },
    review_model: table.string("review_model") ?? "gpt-5-codex",
    compact_prompt: table.string("compact_prompt"),
    model_auto_compact_token_limit: table.integer("model_auto_compact_token_limit"),
    shell_environment_policy: {},
  };
}

async function readToml(file: string): Promise<Record<string, unknown>> {
  const text = await readIfPresent(file);
  if (text === undefined) return {};
  const { parse } = await import("smol-toml");
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CodexError("config", `${file} is not valid TOML: ${reason}`, { cause: error });
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const reason = (error as Error).message;
    throw new CodexError("config", `Cannot read ${file}: ${reason}`, { cause: error });
  }
}

function sandboxPolicy(table: Table): SandboxPolicy {
  const mode = table.oneOf("sandbox_mode", sandboxModes) ?? "read-only";
  if (mode !== "workspace-write") return { mode };
  const settings = table.table("sandbox_workspace_write");
  return {
    mode,
    writable_roots: settings?.stringList("writable_roots") ?? [],
    network_access: settings?.boolean("network_access") ?? false,
    exclude_tmpdir_env_var: settings?.boolean("exclude_tmpdir_env_var") ?? false,
    exclude_slash_tmp: settings?.boolean("exclude_slash_tmp") ?? false,
  };
}

const approvalPolicies = ["untrusted", "on-failure", "on-request", "never"] as const;
const sandboxModes = ["read-only", "workspace-write", "danger-full-access"] as const;
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
const summaries = ["auto", "concise", "detailed", "none"] as const;
