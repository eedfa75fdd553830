import type { DynamicToolCallItem } from "../../../protocol/rpc/v2/item.js";
import type {
  DynamicToolCallRequestEvent,
  DynamicToolCallResponseEvent,
} from "../../../protocol/types.js";

/** A call of a client's own tool, as far as it has come. */
export function toDynamicCall(
  msg: DynamicToolCallRequestEvent | DynamicToolCallResponseEvent,
): DynamicToolCallItem {
  const item: DynamicToolCallItem = {
    type: "dynamicToolCall",
    id: msg.callId,
    namespace: msg.namespace ?? null,
    tool: msg.tool,
    arguments: msg.arguments,
    status: "inProgress",
    contentItems: null,
    success: null,
    durationMs: null,
  };
  if (msg.type === "dynamic_tool_call_request") return item;
  const { contentItems, success, durationMs } = msg;
  return { ...item, status: success ? "completed" : "failed", contentItems, success, durationMs };
}
