import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "../../lib/errors.js";
import { ReasoningEffort } from "../../protocol/config-types.js";
import { trustLevelOf } from "../project/trust.js";
import { mayBring } from "../project/trust-gate.js";
import type { Config } from "../resolve/config.js";
import type { AgentRoleToml } from "../schema/tools.js";
import { lineOf } from "../toml/statements.js";
import { parseToml } from "../toml/table.js";

/** A role that helper agents can have, from a file `agents/NAME.toml`. */
export interface AgentRole {
  name: string;
  file: string;
  description: string | undefined;
  developer_instructions: string | undefined;
  model: string | undefined;
  model_reasoning_effort: ReasoningEffort | undefined;
  /** Only a narrower mode than that of the agent that starts it has an effect. */
  sandbox_mode: "read-only" | "workspace-write" | undefined;
  /** Names of the tools that it may use; undefined: all. */
  tools: readonly string[] | undefined;
  /** True if it works in a git worktree of its own. */
  worktree: boolean;
  /** Nicknames to choose from; undefined: the usual ones. */
  nicknames: readonly string[] | undefined;
}

/** Roles by name, and the mistakes in files that were left out. */
export interface AgentRoles {
  roles: ReadonlyMap<string, AgentRole>;
  problems: readonly string[];
}

/**
 * Loads the roles of the user's home, of `[agents.NAME]` in the settings, and of a trusted project.
 *
 * A file with a mistake is reported and left out; the others work. A role of the user counts more
 * than one of the project with the same name.
 */
export async function loadAgentRoles(config: Config): Promise<AgentRoles> {
  const roles = new Map<string, AgentRole>();
  const problems: string[] = [];
  const add = async (file: string, name: string, toml: AgentRoleToml = {}) => {
    try {
      const role = await readRole(file, name);
      const { description = role.description, nickname_candidates: nicknames } = toml;
      if (toml.config_file !== undefined && role.name !== name) {
        throw new Error(
          `${file}: expected \`name\` to be "${name}", as in the settings (got "${role.name}")`,
        );
      }
      roles.set(role.name, { ...role, description, nicknames });
    } catch (error) {
      problems.push(errorText(error));
    }
  };
  for (const folder of roleFolders(config)) {
    for (const file of tomlFiles(folder)) await add(file, basename(file, ".toml"));
  }
  for (const [name, toml] of config.agents.roles) {
    const { config_file, description, nickname_candidates: nicknames } = toml;
    if (config_file === undefined) roles.set(name, { ...noRole(name), description, nicknames });
    else await add(resolve(config.home, config_file), name, toml);
  }
  return { roles, problems };
}

/** The later ones count more. */
function roleFolders(config: Config): string[] {
  const isTrusted = mayBring("agents", trustLevelOf(config, config.cwd));
  const project = isTrusted ? projectFolders(config.cwd) : [];
  return [...project, join(config.home, "agents")];
}

/** Folders of a project, from the outermost. */
function projectFolders(cwd: string): string[] {
  const above = dirname(cwd);
  return [...(above === cwd ? [] : projectFolders(above)), join(cwd, ".codex", "agents")];
}

/** Synchronous: most folders do not exist, and asking Node's thread pool takes ten times as long. */
function tomlFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".toml"))
    .sort()
    .map((name) => join(folder, name));
}

async function readRole(file: string, name: string): Promise<AgentRole> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Error(`${file}: ${errorText(error)}`);
  });
  const table = await parseToml(text, file);
  const place = (key: string) => `${file}:${lineOf(text, [key]) ?? 1}: \`${key}\``;
  for (const key of Object.keys(table)) {
    if (!known.has(key)) {
      throw new Error(`${place(key)} is not a key of a role; expected ${[...known].join(", ")}`);
    }
  }
  const read = <Value>(
    keys: readonly string[],
    expected: string,
    test: (value: unknown) => boolean,
  ) => {
    const key = keys.find((one) => table[one] !== undefined);
    if (key === undefined) return undefined;
    if (!test(table[key])) {
      throw new Error(`${place(key)}: expected ${expected} (got ${JSON.stringify(table[key])})`);
    }
    return table[key] as Value;
  };
  const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
  const efforts = ReasoningEffort.enum;
  const modes = ["read-only", "workspace-write"];
  return {
    ...noRole(read<string>(["name"], "a text", isText) ?? name),
    file,
    description: read<string>(["description"], "a text", isText),
    developer_instructions: read<string>(
      ["developer_instructions", "instructions"],
      "a text",
      isText,
    ),
    model: read<string>(["model"], "the name of a model", isText),
    model_reasoning_effort: read<ReasoningEffort>(
      ["model_reasoning_effort", "effort"],
      `one of ${efforts.join(", ")}`,
      (value) => efforts.includes(value as ReasoningEffort),
    ),
    sandbox_mode: read<"read-only">(["sandbox_mode"], `one of ${modes.join(", ")}`, (value) =>
      modes.includes(String(value)),
    ),
    worktree:
      read<boolean>(["worktree"], "true or false", (value) => typeof value === "boolean") ?? false,
    tools: read<string[]>(
      ["tools"],
      "a list of names of tools",
      (value) => Array.isArray(value) && value.every(isText),
    ),
  };
}

function noRole(name: string): AgentRole {
  return {
    name,
    file: "",
    description: undefined,
    developer_instructions: undefined,
    model: undefined,
    model_reasoning_effort: undefined,
    sandbox_mode: undefined,
    tools: undefined,
    worktree: false,
    nicknames: undefined,
  };
}

/** Keys of a role file; `instructions` and `effort` are short names of two others. */
const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "developer_instructions",
  "instructions",
  "model",
  "model_reasoning_effort",
  "effort",
  "sandbox_mode",
  "tools",
  "worktree",
]);
