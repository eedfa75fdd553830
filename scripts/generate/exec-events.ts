import { ThreadEvent } from "../../src/protocol/exec/events.js";
import { collectDefinitions, type JsonSchema } from "./definitions.js";
import { writeJsonSchema } from "./json-schema.js";
import { notice } from "./notice.js";

/** Returns the JSON Schema and the types of the events of `exec --json`, by path. */
export function generateExecEvents(): Map<string, string> {
  const definitions = collectDefinitions([ThreadEvent]);
  const types = [...definitions].map(([name, schema]) => declaration(name, schema));
  return new Map([
    ["schema/exec-event.schema.json", writeJsonSchema("ThreadEvent", definitions)],
    ["src/client/thread-events/event.generated.ts", `${[`// ${notice}`, ...types].join("\n\n")}\n`],
  ]);
}

/** Writes a shape as a type with its descriptions, which editors show. */
function declaration(name: string, schema: JsonSchema): string {
  if (schema.properties === undefined) {
    return `${comment(schema)}export type ${name} =${membersOf(schema)};`;
  }
  const required = (schema.required ?? []) as string[];
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>).map(
    ([field, one]) =>
      `  ${comment(one)}  ${field}${required.includes(field) ? "" : "?"}: ${typeOf(one)};`,
  );
  return [`${comment(schema)}export interface ${name} {`, ...fields, "}"].join("\n");
}

function membersOf({ oneOf }: JsonSchema): string {
  return (oneOf as JsonSchema[]).map((member) => `\n  | ${typeOf(member)}`).join("");
}

function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") return schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = (schema.enum ?? []) as unknown[];
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.type === "array") return `${typeOf(schema.items as JsonSchema)}[]`;
  if (schema.type === "integer") return "number";
  return typeof schema.type === "string" ? schema.type : "unknown";
}

function comment({ description }: JsonSchema): string {
  return `/** ${String(description)} */\n`;
}
