import { isRecord } from "../protocol/read/record.js";
import type { FunctionToolSpec, McpTool, NamespaceToolSpec } from "../protocol/types.js";

/** A tool of a server as the model is offered it. */
export function toToolSpec(name: string, tool: McpTool): FunctionToolSpec {
  return {
    type: "function",
    name,
    description: tool.description ?? "",
    strict: false,
    parameters: reduceParameters(tool.inputSchema),
  };
}

/** All tools of a server as models that know namespaces are offered them. */
export function toNamespaceSpec(
  namespace: { name: string; description: string },
  tools: FunctionToolSpec[],
): NamespaceToolSpec {
  return { type: "namespace", ...namespace, tools };
}

/** The part of JSON Schema that models are given for the arguments of a server's tools. */
export type ReducedSchema =
  | { type: "boolean" | "string" | "number"; description?: string }
  | { type: "array"; items: ReducedSchema; description?: string }
  | ReducedObject;

/** The schema of an object; what it says of properties is all that is kept of it. */
export interface ReducedObject {
  type: "object";
  properties: Record<string, ReducedSchema>;
  required?: string[];
  additionalProperties?: boolean | ReducedSchema;
  description?: string;
}

/**
 * Reduces the JSON Schema of a tool's arguments, which are always an object, to what every model
 * takes: each schema has one of five types.
 *
 * Servers write schemas of every kind; what is not understood becomes a string, which can say
 * anything, so that one strange property does not cost the tool.
 */
export function reduceParameters(schema: unknown): ReducedObject {
  const reduced = reduce(isRecord(schema) ? { ...schema, type: "object" } : {}, 0);
  return reduced.type === "object" ? reduced : { type: "object", properties: {} };
}

/** Deeper schemas are mistakes or attacks; no tool needs them. */
const maxDepth = 32;

function reduce(schema: unknown, depth: number): ReducedSchema {
  if (!isRecord(schema) || depth > maxDepth) return { type: "string" };
  const type = typeOf(schema);
  const description = typeof schema.description === "string" ? schema.description : undefined;
  const described = description === undefined ? {} : { description };
  if (type === "object") return { ...reduceObject(schema, depth), ...described };
  if (type === "array") return { type, items: reduce(schema.items, depth + 1), ...described };
  return { type, ...described };
}

function reduceObject(schema: Record<string, unknown>, depth: number): ReducedObject {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const reduced: ReducedObject = {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, reduce(property, depth + 1)]),
    ),
  };
  const { required, additionalProperties } = schema;
  if (Array.isArray(required)) {
    reduced.required = required.filter((name) => typeof name === "string");
  }
  if (typeof additionalProperties === "boolean") {
    reduced.additionalProperties = additionalProperties;
  } else if (isRecord(additionalProperties)) {
    reduced.additionalProperties = reduce(additionalProperties, depth + 1);
  }
  return reduced;
}

function typeOf(schema: Record<string, unknown>): ReducedSchema["type"] {
  const said = Array.isArray(schema.type) ? schema.type : [schema.type];
  for (const name of said) {
    const type = typeNames.get(name);
    if (type !== undefined) return type;
  }
  const telling = tellingKeys.find(([, keys]) => keys.some((key) => key in schema));
  return telling?.[0] ?? "string";
}

const typeNames = new Map<unknown, ReducedSchema["type"]>([
  ["object", "object"],
  ["array", "array"],
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
]);

/** Keys that give away the type where it is not said; the first that has one decides. */
const tellingKeys: readonly (readonly [ReducedSchema["type"], readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties"]],
  ["array", ["items", "prefixItems"]],
  ["string", ["enum", "const", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];
