import { subjects } from "../../src/config/schema/config-toml.js";
import type { KeySchema, TableSchema } from "./config.js";
import type { JsonSchema } from "./definitions.js";
import { notice } from "./notice.js";

/** Writes `docs/configuration.md`: where settings come from, and every key. */
export function writeConfigDocs(tables: Map<string, TableSchema>): string {
  const root = tables.get("ConfigToml");
  const written = new Set(["ConfigToml"]);
  const chapters = Object.entries(subjects).map(([title, keys]) => {
    const rows = Object.keys(keys).map((key): [string, KeySchema] => [key, found(root, key)]);
    const nested = rows.flatMap(([key, { schema }]) => sections(key, schema, tables, written));
    return [`## ${title}`, keyTable(rows), ...nested].join("\n\n");
  });
  return `${[head, ...chapters].join("\n\n")}\n`;
}

const head = `# Configuration

<!-- ${notice} -->

Settings are read from TOML files. What comes later in this list wins, key by key; lists are replaced as a whole.

1. The defaults below.
2. \`/etc/codex/config.toml\`, for all users of the machine.
3. \`$CODEX_HOME/config.toml\`, the user's own file. \`CODEX_HOME\` is \`~/.codex\` unless it is set; if set, the folder must exist.
4. \`.codex/config.toml\` of each folder from the top of the project down to the working folder, in trusted projects only.
5. The profile in use: its table \`[profiles.NAME]\`, then the file \`NAME.config.toml\` in the home folder.
6. \`-c KEY=VALUE\` on the command line. The value is TOML; what is not TOML is taken as text. Dots make paths, and quotes keep dots: \`-c 'projects."/a.b".trust_level=trusted'\`.
7. Options of the command line, and what a client asks for when it starts a session.
8. \`/etc/codex/managed_config.toml\`, with which an administrator decides for all.

A key that is not known, and a key of the reference that has no effect here, is ignored: one message lists all of them, with the file and line of each and the nearest known key. It is a \`configWarning\` notification once per client, a line on standard error in \`quire exec\`, and never an event of \`exec --json\`. A key that switches off what is not there, or asks for what happens anyway, is not reported. A value of the wrong type is an error that says file, line, key, what was expected and what was found.

## Projects and trust

A project is what lies below the next folder that has a \`.git\` (see \`project_root_markers\`). Its files are read only when the user trusts it: when \`trust_level\` is \`trusted\` for the folder itself, for the top of the project, or for the main work tree of its repository, in that order. The file of a project that is not trusted is not even opened.

A trusted project still cannot set everything, for its file may change with every pull. In the tables below, *project* says whether it may: yes, no, or only to some values. What it may not set is left out with a warning. Its MCP servers cannot change one of the user's, be given environment variables of the user or send tokens. *Only stricter* means stricter than what the user has set, or than \`on-request\` and \`workspace-write\` if nothing is set: \`approval_policy\` from \`untrusted\` over \`on-request\`, then \`on-failure\` and \`granular\`, to \`never\`; \`sandbox_mode\` from \`read-only\` over \`workspace-write\` to \`danger-full-access\`.

*Since* is the version of the reference that first had the key; \`quire\` marks our own.`;

function found(table: TableSchema | undefined, key: string): KeySchema {
  const value = table?.keys.get(key);
  if (value === undefined) throw new Error(`${key} is in a subject but not in the file`);
  return value;
}

/** A chapter of its own for each table under the key, once in the document. */
function sections(
  path: string,
  schema: JsonSchema,
  tables: Map<string, TableSchema>,
  written: Set<string>,
): string[] {
  if (schema.patternProperties !== undefined) {
    const [entry] = Object.values(schema.patternProperties as Record<string, JsonSchema>);
    return sections(`${path}.NAME`, entry ?? {}, tables, written);
  }
  if (schema.type === "array") {
    return sections(`[${path}]`, schema.items as JsonSchema, tables, written);
  }
  const table = tables.get(String(schema.$id));
  if (table === undefined || table.keys.size === 0 || written.has(table.id)) return [];
  written.add(table.id);
  const rows = [...table.keys];
  const own = [`### [${path}]`, table.description, keyTable(rows)].join("\n\n");
  return [
    own,
    ...rows.flatMap(([key, value]) => sections(`${path}.${key}`, value.schema, tables, written)),
  ];
}

function keyTable(all: readonly [string, KeySchema][]): string {
  const rows = all.filter(([, { facts }]) => facts.ignored === undefined);
  const ignored = all.filter(([, { facts }]) => facts.ignored !== undefined);
  const names = ignored.map(([key]) => `\`${key}\``).join(", ");
  const parts = [
    ...(rows.length === 0 ? [] : [rowTable(rows)]),
    ...(ignored.length === 0 ? [] : [`Known, and without effect: ${names}.`]),
  ];
  return parts.join("\n\n");
}

function rowTable(rows: readonly [string, KeySchema][]): string {
  const lines = rows.map(([key, { schema, facts }]) => {
    const columns = [typeOf(schema), toDefault(facts.default), toProject(facts.project)];
    return `| \`${key}\` | ${columns.join(" | ")} | ${toSince(facts.since)} | ${facts.text} |`;
  });
  const titles = "| key | type | default | project | since | meaning |";
  return [titles, "| --- | --- | --- | --- | --- | --- |", ...lines].join("\n");
}

function toSince(since: KeySchema["facts"]["since"]): string {
  return since === "current" ? "Quire" : (since ?? "0.39");
}

function toDefault(value: unknown): string {
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}

function toProject(project: KeySchema["facts"]["project"]): string {
  if (project === undefined) return "no";
  if (project === true) return "yes";
  if ("strictestFirst" in project) return "only stricter";
  return `only ${project.map((value) => `\`${JSON.stringify(value)}\``).join(", ")}`;
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${plural(typeOf(schema.items as JsonSchema))}`;
  if (schema.patternProperties !== undefined) {
    const [entry] = Object.values(schema.patternProperties as Record<string, JsonSchema>);
    return `table of ${plural(typeOf(entry ?? {}))}`;
  }
  if (schema.properties !== undefined) return "table";
  if (schema.type === undefined) return "any";
  return schema.type === "integer" ? "whole number" : String(schema.type);
}

function plural(name: string): string {
  return /^[a-z]+$/.test(name) ? `${name}s` : name;
}
