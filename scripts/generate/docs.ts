import type { Definitions, JsonSchema } from "./definitions.js";
import { notice } from "./notice.js";

/** Chapters of the documentation: title, introduction and root shape. */
const chapters: readonly [title: string, text: string, root: string][] = [
  [
    "Submissions",
    "Messages from the client: one JSON object per line on stdio and TCP, one per message elsewhere.",
    "Submission",
  ],
  ["Events", "Messages from the engine. Events of a submission carry its id.", "Event"],
  ["Items", "The model conversation, as recorded and sent.", "ResponseItem"],
  ["Input for the model", "Input for the next request to the model.", "ResponseInputItem"],
  ["Tools", "Tool definitions for the model.", "ToolSpec"],
  ["Tool arguments", "Arguments of the `shell` tool.", "ShellToolCallParams"],
  ["Rollouts", "Each line of a rollout file is one of these.", "RolloutLine"],
  ["Message history", "Each line of `history.jsonl` is one of these.", "HistoryEntry"],
];

/** Writes `docs/protocol.md`: every shape with its fields. */
export function writeDocs(definitions: Definitions): string {
  const written = new Set<string>();
  const parts = chapters.map(([title, text, root]) => {
    const names = inOrder(root, definitions, written);
    const sections = names.map((name) => section(name, definitions));
    return [`## ${title}`, text, ...sections].join("\n\n");
  });
  return `${[head(), ...parts].join("\n\n")}\n`;
}

/** Writes shapes with their fields, sorted by name. */
export function writeShapes(definitions: Definitions): string {
  const names = [...definitions.keys()].sort();
  return names.map((name) => section(name, definitions)).join("\n\n");
}

function head(): string {
  return [
    "# The protocol",
    `<!-- ${notice} -->`,
    "Every shape on the wire, in its canonical form. Readers also accept unknown fields, `null` for absent " +
      "fields, and older and newer spellings of policies, file changes, MCP results and input items.",
    "Optional fields have a `?`. `schema/` has the same shapes as JSON Schema.",
  ].join("\n\n");
}

/** Returns `root` and its parts; each shape is listed once, near its first use. */
function inOrder(root: string, definitions: Definitions, written: Set<string>): string[] {
  if (written.has(root) || !definitions.has(root)) return [];
  written.add(root);
  const names = [root];
  for (const next of directReferences(definitions.get(root))) {
    names.push(...inOrder(next, definitions, written));
  }
  return names;
}

function directReferences(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(directReferences);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([keyword, entry]) =>
    keyword === "$ref" ? [String(entry)] : directReferences(entry),
  );
}

function section(name: string, definitions: Definitions): string {
  const schema = definitions.get(name) ?? {};
  const parts = [`### ${name}`, String(schema.description ?? "")];
  if (schema.properties !== undefined) parts.push(fieldTable(schema));
  else parts.push(shapeOf(schema, definitions));
  return parts.filter((part) => part !== "").join("\n\n");
}

function fieldTable(schema: JsonSchema): string {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const rows = Object.entries(schema.properties as Record<string, JsonSchema>).map(
    ([field, shape]) => {
      const mark = required.has(field) ? "" : "?";
      return `| \`${field}\`${mark} | ${typeOf(shape)} | ${String(shape.description ?? "")} |`;
    },
  );
  return ["| field | type | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function shapeOf(schema: JsonSchema, definitions: Definitions): string {
  const members = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (members === undefined) return `One of ${typeOf(schema)}.`;
  const tag = (schema.discriminator as { propertyName: string } | undefined)?.propertyName;
  if (tag === undefined) return members.map((member) => `- ${typeOf(member)}`).join("\n");
  const rows = members.map((member) => memberRow(member, tag, definitions));
  return [`| \`${tag}\` | shape | meaning |`, "| --- | --- | --- |", ...rows].join("\n");
}

function memberRow(member: JsonSchema, tag: string, definitions: Definitions): string {
  const schema = definitions.get(String(member.$ref)) ?? {};
  const fields = (schema.properties ?? {}) as Record<string, JsonSchema>;
  return `| ${typeOf(fields[tag] ?? {})} | ${typeOf(member)} | ${String(schema.description)} |`;
}

function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") return `[${schema.$ref}](#${schema.$ref.toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  }
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  if (schema.additionalProperties !== undefined) {
    return `map to ${typeOf(schema.additionalProperties as JsonSchema)}`;
  }
  if (schema.properties !== undefined) return inlineObject(schema);
  return schema.type === undefined ? "any JSON" : String(schema.type);
}

function inlineObject(schema: JsonSchema): string {
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  return `object with ${fields.map(([name, shape]) => `\`${name}\` (${typeOf(shape)})`).join(", ")}`;
}
