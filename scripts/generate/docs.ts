import type { Definitions, JsonSchema } from "./definitions.js";
import { notice } from "./notice.js";

/** Chapters of the documentation: a title, a sentence, and the shape each begins with. */
const chapters: readonly [title: string, text: string, root: string][] = [
  [
    "Submissions",
    "What a client sends: one JSON object a line on stdio and TCP, one message elsewhere.",
    "Submission",
  ],
  ["Events", "What the engine sends. Events of one submission carry its id.", "Event"],
  ["Items", "The conversation with the model, as it is recorded and sent.", "ResponseItem"],
  ["Input for the model", "What is fed to the model next.", "ResponseInputItem"],
  ["Tools", "Tools as they are offered to the model.", "ToolSpec"],
  ["Tool arguments", "What the `shell` tool takes.", "ShellToolCallParams"],
  ["Rollouts", "A rollout file has one of these a line.", "RolloutLine"],
  ["Message history", "`history.jsonl` has one of these a line.", "HistoryEntry"],
];

/** Writes `docs/protocol.md`: every shape of the wire with its fields. */
export function writeDocs(definitions: Definitions): string {
  const written = new Set<string>();
  const parts = chapters.map(([title, text, root]) => {
    const names = inOrder(root, definitions, written);
    const sections = names.map((name) => section(name, definitions));
    return [`## ${title}`, text, ...sections].join("\n\n");
  });
  return `${[head(), ...parts].join("\n\n")}\n`;
}

/** The given shapes with their fields, each under its name. */
export function writeShapes(definitions: Definitions): string {
  const names = [...definitions.keys()].sort();
  return names.map((name) => section(name, definitions)).join("\n\n");
}

function head(): string {
  return [
    "# The protocol",
    `<!-- ${notice} -->`,
    "Every shape on the wire, in the form that is written. Readers take more: fields they do not " +
      "know, `null` for what is absent, and the older and newer spellings of policies, file " +
      "changes, MCP results and input items.",
    "An optional field has a `?`. The same shapes are in `schema/` as JSON Schema.",
  ].join("\n\n");
}

/** `root` and what it is made of, each once in the whole document, near where it is used. */
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
