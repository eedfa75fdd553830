import { join } from "node:path";
import type { ReasoningEffort } from "../../protocol/types.js";
import { fileShape } from "../check/shape.generated.js";
import { shapeAt } from "../check/shape.js";
import { forgetServers } from "../resolve/known-servers.js";
import type { McpServerToml } from "../schema/mcp-server.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";
import { type ConfigEdit, type EditOptions, type EditResult, editConfig } from "./edit-config.js";

/** The user's file, and the profile that is in use. */
export interface SettingsTarget {
  /** The folder of the user's settings. */
  home: string;
  /** The profile to write to; absent: the one that the file names, if any. */
  profile?: string | undefined;
}

/**
 * Changes settings of the user where they take effect: in the profile in use, if there is one.
 *
 * Paths that name a profile themselves are left as they are.
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

/** Remembers the model and effort for sessions to come; `undefined` takes a choice back. */
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

/** A skill by its file, or all that have a name. */
export type SkillSelector = { path: string } | { name: string };

/** Turns a skill on or off in the user's file; what is on needs no entry. */
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

/** Adds one server to those of the user, or puts it in the place of the one with its name. */
export function saveMcpServer(
  home: string,
  name: string,
  server: McpServerToml,
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), [
    { path: ["mcp_servers", name], value: toTable(server) },
  ]);
}

/** Takes one server away from those of the user; false when there is none of that name. */
export async function removeMcpServer(home: string, name: string): Promise<boolean> {
  let isThere = false;
  await editConfig(join(home, "config.toml"), (values) => {
    isThere = valueAt(values, ["mcp_servers", name]) !== undefined;
    return isThere ? [{ path: ["mcp_servers", name] }] : [];
  });
  return isThere;
}

/** In the order of the documentation, without what says nothing; names and values by name. */
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
 * Changes settings in the user's own file, as `editConfig` does.
 *
 * Where an edit says what the user thinks of a project, the servers that the project names now are
 * those that the user has seen.
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

/** The projects whose trust an edit speaks of. */
function judgedProjects({ path: [table, project, key], value }: ConfigEdit): string[] {
  if (table !== "projects") return [];
  if (project === undefined) return isTable(value) ? Object.keys(value) : [];
  return key === undefined || key === "trust_level" ? [project] : [];
}
