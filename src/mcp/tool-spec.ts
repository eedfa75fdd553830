import type { FunctionToolSpec, McpTool, NamespaceToolSpec } from "../protocol/types.js";
import { reduceParameters } from "./reduce-schema.js";

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
