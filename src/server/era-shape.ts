import type { EventDialect } from "../protocol/era.js";
import type { EventMsg, FileChange } from "../protocol/types.js";
import { toKeyedFileChange, toOkOrErr } from "../protocol/write/index.js";

/** An event in the shape that clients of an era read; most are the same in all of them. */
export function toEraShape(msg: EventMsg, events: EventDialect): unknown {
  switch (msg.type) {
    case "task_complete":
    case "turn_aborted":
      return events.bookmarks ? msg : withoutBookmark(msg);
    case "patch_apply_begin":
    case "apply_patch_approval_request":
      return events.fileChange === "keyed" ? withKeyedChanges(msg) : msg;
    case "mcp_tool_call_end":
      return events.mcpResult === "wrapped" ? { ...msg, result: toOkOrErr(msg.result) } : msg;
    case "session_configured":
      return withShapedMessages(msg, events);
    default:
      return msg;
  }
}

function withoutBookmark<Msg extends { response_id?: unknown }>(msg: Msg): unknown {
  const { response_id: _, ...rest } = msg;
  return rest;
}

function withKeyedChanges<Msg extends { changes: Record<string, FileChange> }>(msg: Msg): unknown {
  const changes = Object.entries(msg.changes).map(
    ([path, change]) => [path, toKeyedFileChange(change)] as const,
  );
  return { ...msg, changes: Object.fromEntries(changes) };
}

function withShapedMessages(
  msg: EventMsg & { type: "session_configured" },
  events: EventDialect,
): unknown {
  if (msg.initial_messages == null) return msg;
  const shaped = msg.initial_messages.map((one) => toEraShape(one, events));
  return { ...msg, initial_messages: shaped };
}
