import { CodexError } from "../../protocol/error.js";
import type { ConfigToml } from "../schema/config-toml.js";
import { defaults } from "../schema/defaults.generated.js";
import type { AgentRoleToml, SkillEntryToml } from "../schema/tools.js";
import { isTable } from "../toml/table.js";
import type { ResolveContext, ToolConfig } from "./config.js";
import { type McpServer, toMcpServer } from "./mcp-servers.js";

/** Tools and their limits. */
export function resolveTools(values: ConfigToml, context: ResolveContext): ToolConfig {
  const features = resolveFeatures(values);
  const { tools } = values;
  const skills = values.skills?.config ?? [];
  return {
    include_plan_tool: tools?.update_plan?.enabled,
    can_answer_questions: true,
    include_apply_patch_tool: features.get("apply_patch_freeform") ?? false,
    tools: {
      web_search: features.get("web_search_request") ?? false,
      view_image:
        tools?.view_image ?? features.get("view_image_tool") ?? defaults.ToolsToml.view_image,
      search_above: tools?.search_above,
      script_seconds: tools?.script_seconds ?? defaults.ToolsToml.script_seconds,
      script_memory_mb: tools?.script_memory_mb ?? defaults.ToolsToml.script_memory_mb,
      exec_command:
        values.experimental_use_exec_command_tool ??
        defaults.ConfigToml.experimental_use_exec_command_tool,
    },
    web_search: resolveWebSearch(values),
    code_mode: resolveCodeMode(values),
    features,
    mcp_servers: resolveServers(values, context),
    mcp_oauth_credentials_store:
      values.mcp_oauth_credentials_store ?? defaults.ConfigToml.mcp_oauth_credentials_store,
    mcp_oauth_callback_port: values.mcp_oauth_callback_port,
    tool_output_token_limit: values.tool_output_token_limit,
    project_doc_max_bytes:
      values.project_doc_max_bytes ?? defaults.ConfigToml.project_doc_max_bytes,
    project_doc_fallback_filenames: fileNames(values, context),
    skills: switchesBy("path", skills),
    skills_by_name: switchesBy("name", skills),
    agents: resolveAgents(values),
    checkpoints: resolveCheckpoints(values),
  };
}

function resolveAgents({ agents = {}, features }: ConfigToml): ToolConfig["agents"] {
  const { max_threads, max_concurrent_threads_per_session: most, max_depth, ...roles } = agents;
  const { multi_agent_v2: v2 } = features ?? {};
  const ofFeature = typeof v2 === "object" ? v2.max_concurrent_threads_per_session : undefined;
  return {
    max_threads: max_threads ?? defaults.AgentsToml.max_threads,
    at_once: most ?? ofFeature ?? max_threads ?? 3,
    max_depth,
    roles: new Map(Object.entries(roles as Record<string, AgentRoleToml>)),
  };
}

function resolveServers(values: ConfigToml, context: ResolveContext): Map<string, McpServer> {
  const servers = new Map<string, McpServer>();
  for (const [name, toml] of Object.entries(values.mcp_servers ?? {})) {
    const fromProject = context.ownValues.mcp_servers?.[name] === undefined;
    const server = toMcpServer(name, toml, fromProject);
    if (typeof server === "string") {
      const place = context.placeOf(["mcp_servers", name]);
      throw new CodexError("config", `${place}: mcp_servers.${name}: ${server}`, {
        data: { reason: "mcp_server", server: name },
      });
    }
    servers.set(name, server);
  }
  return servers;
}

/** Returns valid file names; paths are refused, as they could expose any file to the model. */
function fileNames(values: ConfigToml, context: ResolveContext): string[] {
  const names = (values.project_doc_fallback_filenames ?? []).map((name) => name.trim());
  const paths = names.filter((name) => /[/\\]|^\.\.?$/.test(name));
  for (const path of paths) {
    const place = context.placeOf(["project_doc_fallback_filenames"]);
    context.warn(`${place}: \`${path}\` in project_doc_fallback_filenames is not a file name`);
  }
  return names.filter((name) => name !== "" && !paths.includes(name));
}

function resolveCheckpoints(values: ConfigToml): ToolConfig["checkpoints"] {
  const { ignore_large_untracked_files, ignore_large_untracked_dirs, disable_warnings } =
    values.ghost_snapshot ?? {};
  const { max_mb = defaults.CheckpointsToml.max_mb } = values.checkpoints ?? {};
  return {
    enabled: values.features?.undo,
    maxBytes: max_mb * 1024 * 1024,
    maxFileBytes: positive(ignore_large_untracked_files ?? 0),
    maxFolderFiles: positive(ignore_large_untracked_dirs ?? 0),
    isQuiet: disable_warnings ?? defaults.GhostSnapshotToml.disable_warnings,
  };
}

function positive(limit: number): number | undefined {
  return limit > 0 ? limit : undefined;
}

function switchesBy(
  key: "path" | "name",
  entries: readonly SkillEntryToml[],
): ReadonlyMap<string, boolean> {
  return new Map(
    entries.flatMap(({ [key]: value, enabled = true }) =>
      value === undefined ? [] : [[value, enabled]],
    ),
  );
}

/** Resolves the features with their defaults. */
function resolveFeatures({ features, tools }: ConfigToml): Map<string, boolean> {
  const search =
    typeof tools?.web_search === "boolean" ? { web_search_request: tools.web_search } : {};
  const all = { ...defaults.FeaturesToml, ...search, ...features };
  const set = Object.entries(all).filter(([, value]) => !isTable(value) || "enabled" in value);
  return new Map(set.map(([name, value]) => [name, isOn(value)]));
}

function resolveCodeMode({ features }: ConfigToml): ToolConfig["code_mode"] {
  const table = typeof features?.code_mode === "object" ? features.code_mode : {};
  const { default_exec_yield_time_ms = defaults.CodeModeToml.default_exec_yield_time_ms } = table;
  return {
    yieldMs: default_exec_yield_time_ms,
    directNamespaces: table.direct_only_tool_namespaces ?? [],
    excludedNamespaces: table.excluded_tool_namespaces ?? [],
  };
}

/** Reads a feature; some of the reference are tables. */
function isOn(value: unknown): boolean {
  return isTable(value) ? value.enabled === true : value === true;
}

/** Web search mode: none, cached pages, or live. */
export type WebSearchMode = "disabled" | "cached" | "live";

/** Returns the explicit web search mode from the current or older keys. */
function resolveWebSearch(values: ConfigToml): WebSearchMode | undefined {
  if (values.web_search !== undefined) return values.web_search;
  if (values.features?.web_search_cached === true) return "cached";
  const asked = values.features?.web_search_request ?? values.tools?.web_search;
  if (asked === true) return "live";
  return asked === false ? "disabled" : undefined;
}
