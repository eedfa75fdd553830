import type { DynamicTool } from "../sqeq/events/tool.js";
import { isRecord, type JsonRecord } from "./check.js";

/**
 * Reads dynamic tools in any format: single tools, or grouped by namespace.
 *
 * Invalid entries are skipped.
 */
export function toDynamicTools(value: unknown): DynamicTool[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isRecord(one)) return [];
    return one.type === "namespace" ? toolsOf(one) : toDynamicTool(one);
  });
}

function toolsOf({ name, description, tools }: JsonRecord): DynamicTool[] {
  if (typeof name !== "string" || !Array.isArray(tools)) return [];
  const group = {
    namespace: name,
    ...(typeof description === "string" ? { namespaceDescription: description } : {}),
  };
  return tools
    .flatMap((tool) => (isRecord(tool) ? toDynamicTool(tool) : []))
    .map((tool) => ({ ...tool, ...group }));
}

function toDynamicTool(value: JsonRecord): DynamicTool[] {
  const { name, description, namespace, namespaceDescription } = value;
  if (typeof name !== "string") return [];
  return [
    {
      name,
      description: typeof description === "string" ? description : "",
      inputSchema: value.inputSchema ?? value.input_schema ?? { type: "object", properties: {} },
      ...(typeof namespace === "string" ? { namespace } : {}),
      ...(typeof namespaceDescription === "string" ? { namespaceDescription } : {}),
      ...(value.deferLoading === true ? { deferLoading: true } : {}),
    },
  ];
}
