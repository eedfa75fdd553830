import { StringDecoder } from "node:string_decoder";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { Event } from "../../protocol/types.js";
import {
  endedCommand,
  endedFileChange,
  endedMcpCall,
  reviewHint,
  reviewText,
  startedCommand,
  startedMcpCall,
  toDynamicCall,
  toFileChangeItem,
  toFileUpdateChanges,
} from "../items/index.js";
import { type EventOf, type Teller, type Translators, turnOf } from "./projection.js";

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

/** Commands and what they write. */
export const execTranslators: Translators = {
  exec_command_begin(event, teller) {
    teller.start(startedCommand(event.msg), turnOf(event, teller));
  },
  exec_command_output_delta: tellOutput,
  terminal_interaction(event, teller) {
    const { call_id: itemId, process_id: processId, stdin } = event.msg;
    teller.tell("item/commandExecution/terminalInteraction", {
      threadId: teller.threadId,
      turnId: turnOf(event, teller),
      itemId,
      processId,
      stdin,
    });
  },
  exec_command_end(event, teller) {
    const { msg } = event;
    if (teller.isDeclined(msg.call_id)) return;
    const begun = teller.open.get(msg.call_id);
    forgetOutput(msg.call_id, teller);
    const started = begun?.type === "commandExecution" ? begun : undefined;
    teller.complete(endedCommand(msg, started), turnOf(event, teller));
  },
};

/** What a command writes, or what a patch says of itself. */
function tellOutput(event: EventOf<"exec_command_output_delta">, teller: Teller): void {
  const { call_id: itemId, stream, chunk } = event.msg;
  const bytes = Buffer.from(chunk, "base64");
  const delta = decode(`${itemId} ${stream}`, bytes, teller);
  if (delta === "") return;
  const isPatch = teller.open.get(itemId)?.type === "fileChange";
  const kind = isPatch ? "item/fileChange/outputDelta" : "item/commandExecution/outputDelta";
  teller.tell(kind, { threadId: teller.threadId, turnId: turnOf(event, teller), itemId, delta });
}

/** Characters may be cut in two by the border of a piece: the first half waits for the other. */
function decode(key: string, bytes: Buffer, { decoders }: Teller): string {
  const waiting = decoders.get(key);
  if (waiting !== undefined) return waiting.write(bytes);
  const last = bytes.at(-1) ?? 0;
  if (last < 0x80) return bytes.toString("utf8");
  const decoder = new StringDecoder("utf8");
  decoders.set(key, decoder);
  return decoder.write(bytes);
}

function forgetOutput(callId: string, { decoders }: Teller): void {
  if (decoders.size === 0) return;
  for (const stream of ["stdout", "stderr"]) decoders.delete(`${callId} ${stream}`);
}

/** Reviews: that one begins, and what it says. */
export const reviewTranslators: Translators = {
  entered_review_mode(event, teller) {
    const review = reviewHint(event.msg);
    tellWhole({ type: "enteredReviewMode", id: idOf(event, teller), review }, event, teller);
  },
  exited_review_mode(event, teller) {
    const review = reviewText(event.msg);
    tellWhole({ type: "exitedReviewMode", id: idOf(event, teller), review }, event, teller);
  },
};

/** Without a name of their own, both are called like their turn. */
function idOf(event: Event, teller: Teller): string {
  return event.item_id ?? turnOf(event, teller);
}

/** Nothing happens between the beginning and the end of such an item. */
function tellWhole(item: ThreadItem, event: Event, teller: Teller): void {
  const turnId = turnOf(event, teller);
  teller.start(item, turnId);
  teller.complete(item, turnId);
}
