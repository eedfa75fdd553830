import { join } from "node:path";
import type { ReasoningEffort } from "../../protocol/types.js";
import { fileShape } from "../check/shape.generated.js";
import { shapeAt } from "../check/shape.js";
import { forgetServers } from "../resolve/known-servers.js";
import type { McpServerToml } from "../schema/mcp-server.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";
import { type ConfigEdit, type EditOptions, type EditResult, editConfig } from "./edit-config.js";

/** The user's file and the selected profile. */
export interface SettingsTarget {
  /** Home directory of the config. */
  home: string;
  /** Profile to write to; default: the one that the file selects. */
  profile?: string | undefined;
}

/**
 * Edits keys of the user's file where they take effect: in the selected profile, if any.
 *
 * Paths below `profiles` are not changed.
 */
export function editSettings(
  { home, profile }: SettingsTarget,
  edits: readonly ConfigEdit[],
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), (values) => {
    const name = profile ?? profileOf(values);
    return name === undefined ? edits : edits.map((edit) => inProfile(edit, name));
  });
}

/** Saves the model and effort for later sessions; `undefined` removes a choice. */
export function saveModel(
  target: SettingsTarget,
  choice: { model: string | undefined; effort: ReasoningEffort | undefined },
): Promise<EditResult> {
  return editSettings(target, [
    { path: ["model"], value: choice.model },
    { path: ["model_reasoning_effort"], value: choice.effort },
  ]);
}

function profileOf(values: Table): string | undefined {
  const name = valueAt(values, ["profile"]);
  return typeof name === "string" ? name : undefined;
}

function inProfile(edit: ConfigEdit, name: string): ConfigEdit {
  return edit.path[0] === "profiles" ? edit : { ...edit, path: ["profiles", name, ...edit.path] };
}

/** Selects a skill by its file, or all skills of a name. */
export type SkillSelector = { path: string } | { name: string };

/** Enables or disables a skill in the user's file; an enabled skill needs no entry. */
export function setSkill(
  home: string,
  skill: SkillSelector,
  enabled: boolean,
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), (values) => {
    const entries = entriesOf(values).filter((entry) => !isFor(entry, skill));
    const wanted = enabled ? entries : [...entries, { ...skill, enabled: false }];
    return [{ path: ["skills", "config"], value: wanted.length === 0 ? undefined : wanted }];
  });
}

function entriesOf(values: Table): Table[] {
  const entries = valueAt(values, ["skills", "config"]);
  return Array.isArray(entries) ? entries.filter(isTable) : [];
}

function isFor(entry: Table, skill: SkillSelector): boolean {
  return "path" in skill ? entry.path === skill.path : entry.name === skill.name;
}

/** Adds or replaces an MCP server in the user's file. */
export function saveMcpServer(
  home: string,
  name: string,
  server: McpServerToml,
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), [
    { path: ["mcp_servers", name], value: toTable(server) },
  ]);
}

/** Removes an MCP server from the user's file; returns false if there is none of that name. */
export async function removeMcpServer(home: string, name: string): Promise<boolean> {
  let isThere = false;
  await editConfig(join(home, "config.toml"), (values) => {
    isThere = valueAt(values, ["mcp_servers", name]) !== undefined;
    return isThere ? [{ path: ["mcp_servers", name] }] : [];
  });
  return isThere;
}

/** Converts a server to a table in the order of the docs, without empty values. */
function toTable(server: McpServerToml): Table {
  const table = newTable();
  for (const key of Object.keys(shapeAt(fileShape, ["mcp_servers", ""])?.keys ?? {})) {
    const value = server[key as keyof McpServerToml];
    if (value === undefined || isEmpty(value) || (key === "enabled" && value === true)) continue;
    table[key] = isTable(value) ? sorted(value) : value;
  }
  return table;
}

function sorted(table: Table): Table {
  const entries = Object.entries(table).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.assign(newTable(), Object.fromEntries(entries));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isTable(value) && Object.keys(value).length === 0;
}

/**
 * Edits the user's file, like `editConfig`.
 *
 * An edit of a trust level accepts the servers that the project has now.
 */
export async function editUserConfig(
  home: string,
  edits: readonly ConfigEdit[],
  options: EditOptions = {},
): Promise<EditResult> {
  const result = await editConfig(join(home, "config.toml"), edits, options);
  for (const path of new Set(edits.flatMap(judgedProjects))) await forgetServers(home, path);
  return result;
}

/** Returns the projects whose trust level an edit changes. */
function judgedProjects({ path: [table, project, key], value }: ConfigEdit): string[] {
  if (table !== "projects") return [];
  if (project === undefined) return isTable(value) ? Object.keys(value) : [];
  return key === undefined || key === "trust_level" ? [project] : [];
}
