import type { ThreadItem } from "../../../protocol/rpc/v2/item.js";
import type { EventMsg } from "../../../protocol/types.js";
import type { EventItem, RebuiltItem } from "../../../rollout/index.js";
import {
  endedCommand,
  endedFileChange,
  endedMcpCall,
  reviewHint,
  reviewText,
  toDynamicCall,
  toThreadItem,
  toWebSearchItem,
} from "../items/index.js";
import { toLoggedItem } from "./logged-item.js";

/** An item of a recorded turn as v2 shows it; none for what it has no form for. */
export function toRebuiltItem(rebuilt: RebuiltItem): ThreadItem[] {
  const { startedAtMs, completedAtMs, ...item } = rebuilt;
  const shown = item.type === "Event" ? toEventItem(item as EventItem) : toThreadItem(item);
  if (shown === undefined) return [];
  if (completedAtMs === undefined) return [shown];
  const times = { startedAtMs: startedAtMs ?? completedAtMs - lengthOf(shown), completedAtMs };
  return [{ ...shown, ...times }];
}

function toEventItem({ id, msg }: EventItem): ThreadItem | undefined {
  switch (msg.type) {
    case "exec_command_end":
      return endedCommand(msg, undefined);
    case "patch_apply_end":
      return endedFileChange(msg, undefined);
    case "mcp_tool_call_end":
      return endedMcpCall(msg);
    case "dynamic_tool_call_response":
      return toDynamicCall(msg);
    case "web_search_end":
      return toWebSearchItem(id, msg.query, undefined);
    case "entered_review_mode":
      return { type: "enteredReviewMode", id, review: reviewHint(msg) };
    case "exited_review_mode":
      return { type: "exitedReviewMode", id, review: reviewText(msg) };
    case "item_completed":
      return toLoggedItem((msg as Extract<EventMsg, { type: "item_completed" }>).item);
    default:
      return undefined;
  }
}

function lengthOf(item: ThreadItem): number {
  return "durationMs" in item ? (item.durationMs ?? 0) : 0;
}
