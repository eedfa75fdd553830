import { isRecord } from "../protocol/read/check.js";

/** A tool as scripts see it. */
export interface NestedTool {
  /** Name on `tools`; that of a namespace comes first. */
  name: string;
  description: string;
  /** JSON Schema of the arguments; undefined if the input is a string. */
  parameters: unknown;
}

/** Returns the TypeScript declaration of a tool, as a member of `tools`. */
export function declarationOf({ name, parameters }: NestedTool): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const input = parameters === undefined ? "input: string" : `args: ${typeOf(parameters, 0)}`;
  return `${key}(${input}): Promise<${resultOf(name)}>;`;
}

/** Types of results that a script relies on. */
function resultOf(name: string): string {
  if (name.startsWith("mcp__")) {
    return "{ content: object[]; structuredContent?: unknown; isError?: boolean }";
  }
  return results.get(name) ?? "unknown";
}

const process =
  "{ chunk_id: string; wall_time_seconds: number; exit_code?: number; session_id?: number; " +
  "original_token_count: number; output: string }";

const results: ReadonlyMap<string, string> = new Map([
  ["exec_command", process],
  ["write_stdin", process],
  ["view_image", "{ image_url: string; detail: string | null }"],
  ["apply_patch", "{}"],
]);

/** Deeper schemas are shown as `unknown`. */
const deepest = 8;

/** Returns the TypeScript type of a JSON Schema. */
function typeOf(schema: unknown, depth: number): string {
  if (!isRecord(schema) || depth > deepest) return "unknown";
  const { enum: values, const: value, anyOf, oneOf, type, items } = schema;
  if (Array.isArray(values)) return unionOf(values.map((one) => JSON.stringify(one)));
  if (value !== undefined) return JSON.stringify(value);
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return unionOf(options.map((one) => typeOf(one, depth + 1)));
  if (Array.isArray(type)) {
    return unionOf(type.map((one) => typeOf({ ...schema, type: one }, depth + 1)));
  }
  if (type === "array") return arrayOf(typeOf(items, depth + 1));
  if (type === "object" || isRecord(schema.properties)) return objectOf(schema, depth);
  return typeof type === "string" ? (plain.get(type) ?? "unknown") : "unknown";
}

const plain: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
]);

/** Nothing matches a choice without options. */
function unionOf(types: readonly string[]): string {
  return types.length === 0 ? "never" : types.join(" | ");
}

function arrayOf(element: string): string {
  return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
}

function objectOf(schema: Record<string, unknown>, depth: number): string {
  const { properties, required, additionalProperties } = schema;
  const names = new Set(Array.isArray(required) ? required : []);
  const indent = "  ".repeat(depth + 1);
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const text = isRecord(field) && typeof field.description === "string" ? field.description : "";
    const comment = text === "" ? "" : `${indent}// ${text.replaceAll(/\s+/g, " ")}\n`;
    return `${comment}${indent}${key}${names.has(name) ? "" : "?"}: ${typeOf(field, depth + 1)};\n`;
  });
  const isOpen = additionalProperties === true || isRecord(additionalProperties);
  if (isOpen) fields.push(`${indent}[key: string]: ${typeOf(additionalProperties, depth + 1)};\n`);
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${"  ".repeat(depth)}}`;
}
