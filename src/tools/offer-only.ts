import type { Tool } from "./tool.js";

/**
 * The tool as models know it that were told of fewer parameters.
 *
 * What it does is the same: a model that gives one of the others all the same is understood.
 */
export function offerOnly(
  tool: Tool,
  names: readonly string[],
  required: readonly string[] = [],
): Tool {
  const { spec } = tool;
  if (spec.type !== "function") return tool;
  const parameters = spec.parameters as { properties: Record<string, unknown> };
  const properties = Object.entries(parameters.properties).filter(([name]) => names.includes(name));
  return {
    ...tool,
    spec: {
      ...spec,
      parameters: { ...parameters, properties: Object.fromEntries(properties), required },
    },
  };
}
