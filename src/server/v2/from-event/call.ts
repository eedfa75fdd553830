import {
  endedFileChange,
  endedMcpCall,
  startedMcpCall,
  toDynamicCall,
  toFileChangeItem,
  toFileUpdateChanges,
} from "../items/index.js";
import { turnOf } from "./place.js";
import type { Translators } from "./translators.js";

/** Patches, pictures, and calls of tools of others. */
export const callTranslators: Translators = {
  patch_apply_begin(event, teller) {
    const { call_id, changes } = event.msg;
    teller.start(toFileChangeItem(call_id, changes, "inProgress"), turnOf(event, teller));
  },
  patch_apply_end(event, teller) {
    if (teller.isDeclined(event.msg.call_id)) return;
    const begun = teller.open.get(event.msg.call_id);
    const started = begun?.type === "fileChange" ? begun : undefined;
    teller.complete(endedFileChange(event.msg, started), turnOf(event, teller));
  },
  patch_apply_updated(event, teller) {
    const { call_id: itemId, changes } = event.msg;
    teller.tell("item/fileChange/patchUpdated", {
      threadId: teller.threadId,
      turnId: turnOf(event, teller),
      itemId,
      changes: toFileUpdateChanges(changes),
    });
  },
  mcp_tool_call_begin(event, teller) {
    teller.start(startedMcpCall(event.msg), turnOf(event, teller));
  },
  mcp_tool_call_progress(event, teller) {
    const { call_id: itemId, message } = event.msg;
    const { threadId } = teller;
    const turnId = turnOf(event, teller);
    teller.tell("item/mcpToolCall/progress", { threadId, turnId, itemId, message });
  },
  mcp_tool_call_end(event, teller) {
    teller.complete(endedMcpCall(event.msg), turnOf(event, teller));
  },
  view_image_tool_call(event, teller) {
    const { call_id: id, path } = event.msg;
    const turnId = turnOf(event, teller);
    teller.start({ type: "imageView", id, path }, turnId);
    teller.complete({ type: "imageView", id, path }, turnId);
  },
  dynamic_tool_call_request(event, teller) {
    teller.start(toDynamicCall(event.msg), turnOf(event, teller));
  },
  dynamic_tool_call_response(event, teller) {
    teller.complete(toDynamicCall(event.msg), turnOf(event, teller));
  },
};
