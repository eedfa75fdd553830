import type { McpToolCallItem } from "../../../protocol/rpc/v2/item.js";
import { toMilliseconds } from "../../../protocol/to-duration.js";
import type { McpToolCallBeginEvent, McpToolCallEndEvent } from "../../../protocol/types.js";

/** A call of an MCP tool that begins. */
export function startedMcpCall(msg: McpToolCallBeginEvent): McpToolCallItem {
  const { call_id: id, invocation, read_only_hint: readOnlyHint = null } = msg;
  const { server, tool } = invocation;
  return {
    type: "mcpToolCall",
    id,
    server,
    tool,
    status: "inProgress",
    arguments: invocation.arguments ?? null,
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint,
    result: null,
    error: null,
    durationMs: null,
  };
}

/** A call of an MCP tool that is over. */
export function endedMcpCall(msg: McpToolCallEndEvent): McpToolCallItem {
  const { result } = msg;
  const item = startedMcpCall({ ...msg, type: "mcp_tool_call_begin" });
  const durationMs = Math.round(toMilliseconds(msg.duration));
  if (typeof result === "string") {
    return { ...item, status: "failed", error: { message: result }, durationMs };
  }
  const { content, structuredContent = null, _meta = null, isError = false } = result;
  return {
    ...item,
    status: isError ? "failed" : "completed",
    result: { content, structuredContent, _meta },
    durationMs,
  };
}
