import { hint, told, values } from "./parameters.js";
import type { Tool } from "./tool.js";

/** The tool with the values of its parameters in its schema, for models that read them there. */
export function withValues(tool: Tool): Tool {
  const { spec } = tool;
  if (spec.type !== "function") return tool;
  const parameters = sayValues(spec.parameters) as typeof spec.parameters;
  return { ...tool, spec: { ...spec, parameters } };
}

function sayValues(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sayValues);
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.entries(schema).map(([name, field]) => [name, sayValues(field)] as const);
  const { [values]: checked, [told]: known = checked, [hint]: description } = schema as Valued;
  return {
    ...Object.fromEntries(fields),
    ...(description && { description }),
    ...(known && { enum: known }),
  };
}

interface Valued {
  [values]?: readonly string[];
  [told]?: readonly string[];
  [hint]?: string;
}
