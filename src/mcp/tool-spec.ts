import { isRecord } from "../protocol/read/check.js";
import type { FunctionToolSpec, McpTool, NamespaceToolSpec } from "../protocol/types.js";

/** Converts a tool to the specification sent to the model. */
export function toToolSpec(name: string, tool: McpTool): FunctionToolSpec {
  return {
    type: "function",
    name,
    description: tool.description ?? "",
    strict: false,
    parameters: reduceParameters(tool.inputSchema),
  };
}

/** Groups the tools of a server for models that support namespaces. */
export function toNamespaceSpec(
  namespace: { name: string; description: string },
  tools: FunctionToolSpec[],
): NamespaceToolSpec {
  return { type: "namespace", ...namespace, tools };
}

/** Subset of JSON Schema that is sent to models for tool arguments. */
export type ReducedSchema =
  | { type: "boolean" | "string" | "number"; description?: string }
  | { type: "array"; items: ReducedSchema; description?: string }
  | ReducedObject;

/** Schema of an object; only its properties are retained. */
export interface ReducedObject {
  type: "object";
  properties: Record<string, ReducedSchema>;
  required?: string[];
  additionalProperties?: boolean | ReducedSchema;
  description?: string;
}

/**
 * Reduces the JSON Schema of a tool's arguments, which are always an object, to what every model
 * accepts: each schema has one of five types.
 *
 * Servers send schemas of every kind; an unknown one becomes a string, so that one unusual property
 * does not disable the tool.
 */
export function reduceParameters(schema: unknown): ReducedObject {
  const reduced = reduce(isRecord(schema) ? { ...schema, type: "object" } : {}, 0);
  return reduced.type === "object" ? reduced : { type: "object", properties: {} };
}

/** Deeper schemas are mistakes or attacks. */
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
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  for (const name of types) {
    const type = typeNames.get(name);
    if (type !== undefined) return type;
  }
  const hint = typeHints.find(([, keys]) => keys.some((key) => key in schema));
  return hint?.[0] ?? "string";
}

const typeNames = new Map<unknown, ReducedSchema["type"]>([
  ["object", "object"],
  ["array", "array"],
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
]);

/** Keys that imply a type if none is given; the first match decides. */
const typeHints: readonly (readonly [ReducedSchema["type"], readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties"]],
  ["array", ["items", "prefixItems"]],
  ["string", ["enum", "const", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];
