import { StringDecoder } from "node:string_decoder";
import { reviewHint, reviewText } from "../../engine/review/index.js";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { Event } from "../../protocol/types.js";
import {
  endedCommand,
  endedFileChange,
  endedMcpCall,
  startedCommand,
  startedMcpCall,
  toDynamicCall,
  toFileChangeItem,
  toFileUpdateChanges,
} from "../items/calls.js";
import { type EventOf, type Projections, type ThreadProjection, turnOf } from "./projection.js";

/** Projections of patches, images, and calls of MCP and client tools. */
export const callProjections = {
  patch_apply_begin(event, projection) {
    const { call_id, changes } = event.msg;
    projection.startItem(
      toFileChangeItem(call_id, changes, "inProgress"),
      turnOf(event, projection),
    );
  },
  patch_apply_end(event, projection) {
    if (projection.takeDeclined(event.msg.call_id)) return;
    const open = projection.openItems.get(event.msg.call_id);
    const started = open?.type === "fileChange" ? open : undefined;
    projection.completeItem(endedFileChange(event.msg, started), turnOf(event, projection));
  },
  patch_apply_updated(event, projection) {
    const { call_id: itemId, changes } = event.msg;
    projection.notify("item/fileChange/patchUpdated", {
      threadId: projection.threadId,
      turnId: turnOf(event, projection),
      itemId,
      changes: toFileUpdateChanges(changes),
    });
  },
  mcp_tool_call_begin(event, projection) {
    projection.startItem(startedMcpCall(event.msg), turnOf(event, projection));
  },
  mcp_tool_call_progress(event, projection) {
    const { call_id: itemId, message } = event.msg;
    const { threadId } = projection;
    const turnId = turnOf(event, projection);
    projection.notify("item/mcpToolCall/progress", { threadId, turnId, itemId, message });
  },
  mcp_tool_call_end(event, projection) {
    projection.completeItem(endedMcpCall(event.msg), turnOf(event, projection));
  },
  view_image_tool_call(event, projection) {
    const { call_id: id, path } = event.msg;
    const turnId = turnOf(event, projection);
    projection.startItem({ type: "imageView", id, path }, turnId);
    projection.completeItem({ type: "imageView", id, path }, turnId);
  },
  dynamic_tool_call_request(event, projection) {
    projection.startItem(toDynamicCall(event.msg), turnOf(event, projection));
  },
  dynamic_tool_call_response(event, projection) {
    projection.completeItem(toDynamicCall(event.msg), turnOf(event, projection));
  },
} satisfies Projections;

/** Projections of commands and their output. */
export const execProjections = {
  exec_command_begin(event, projection) {
    projection.startItem(startedCommand(event.msg), turnOf(event, projection));
  },
  exec_command_output_delta: notifyOutput,
  terminal_interaction(event, projection) {
    const { call_id: itemId, process_id: processId, stdin } = event.msg;
    projection.notify("item/commandExecution/terminalInteraction", {
      threadId: projection.threadId,
      turnId: turnOf(event, projection),
      itemId,
      processId,
      stdin,
    });
  },
  exec_command_end(event, projection) {
    const { msg } = event;
    if (projection.takeDeclined(msg.call_id)) return;
    const open = projection.openItems.get(msg.call_id);
    forgetOutput(msg.call_id, projection);
    const started = open?.type === "commandExecution" ? open : undefined;
    projection.completeItem(endedCommand(msg, started), turnOf(event, projection));
  },
} satisfies Projections;

/** Notifies of output: of a command, or the summary of a patch. */
function notifyOutput(
  event: EventOf<"exec_command_output_delta">,
  projection: ThreadProjection,
): void {
  const { call_id: itemId, stream, chunk } = event.msg;
  const bytes = Buffer.from(chunk, "base64");
  const delta = decode(`${itemId} ${stream}`, bytes, projection);
  if (delta === "") return;
  const isPatch = projection.openItems.get(itemId)?.type === "fileChange";
  const kind = isPatch ? "item/fileChange/outputDelta" : "item/commandExecution/outputDelta";
  projection.notify(kind, {
    threadId: projection.threadId,
    turnId: turnOf(event, projection),
    itemId,
    delta,
  });
}

/**
 * Decodes a chunk of output. An incomplete character at its end is held back for the next chunk.
 */
function decode(key: string, bytes: Buffer, { decoders }: ThreadProjection): string {
  const waiting = decoders.get(key);
  if (waiting !== undefined) return waiting.write(bytes);
  const last = bytes.at(-1) ?? 0;
  if (last < 0x80) return bytes.toString("utf8");
  const decoder = new StringDecoder("utf8");
  decoders.set(key, decoder);
  return decoder.write(bytes);
}

function forgetOutput(callId: string, { decoders }: ThreadProjection): void {
  if (decoders.size === 0) return;
  for (const stream of ["stdout", "stderr"]) decoders.delete(`${callId} ${stream}`);
}

/** Projections of reviews: their start and their result. */
export const reviewProjections = {
  entered_review_mode(event, projection) {
    const review = reviewHint(event.msg);
    reportWhole(
      { type: "enteredReviewMode", id: idOf(event, projection), review },
      event,
      projection,
    );
  },
  exited_review_mode(event, projection) {
    const review = reviewText(event.msg);
    reportWhole(
      { type: "exitedReviewMode", id: idOf(event, projection), review },
      event,
      projection,
    );
  },
} satisfies Projections;

/** Returns the id of a review item: its own, or that of the turn. */
function idOf(event: Event, projection: ThreadProjection): string {
  return event.item_id ?? turnOf(event, projection);
}

/** Reports an item that starts and completes at once. */
function reportWhole(item: ThreadItem, event: Event, projection: ThreadProjection): void {
  const turnId = turnOf(event, projection);
  projection.startItem(item, turnId);
  projection.completeItem(item, turnId);
}
