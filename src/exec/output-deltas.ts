import type { ExecOutputStream } from "../protocol/types.js";

/**
 * Gets a piece of what a command writes as soon as it is there. If it returns a promise, no more is
 * read from the command before that resolves.
 */
export type OnOutput = (stream: ExecOutputStream, chunk: Buffer) => unknown;

const largestDelta = 8192;
const mostDeltas = 10_000;

/** Passes output on in small pieces, and stops after so many that no one could still be reading. */
export function limitDeltas(onOutput: OnOutput): OnOutput {
  let sent = 0;
  return (stream, chunk) => {
    let room: unknown;
    for (let at = 0; at < chunk.length && sent < mostDeltas; at += largestDelta) {
      sent++;
      room = onOutput(stream, chunk.subarray(at, at + largestDelta));
    }
    return room;
  };
}
