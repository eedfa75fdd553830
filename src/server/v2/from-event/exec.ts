import { StringDecoder } from "node:string_decoder";
import { endedCommand, startedCommand } from "../items/index.js";
import { turnOf } from "./place.js";
import type { Teller } from "./teller.js";
import type { EventOf, Translators } from "./translators.js";

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
