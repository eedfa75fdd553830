import type { ExecOutputStream } from "../protocol/types.js";

/** Gets a piece of what a command writes as soon as it is there. */
export type OnOutput = (stream: ExecOutputStream, chunk: Buffer) => void;

const largestDelta = 8192;
const mostDeltas = 10_000;

/** Passes output on in small pieces, and stops after so many that no one could still be reading. */
export function limitDeltas(onOutput: OnOutput): OnOutput {
  let sent = 0;
  return (stream, chunk) => {
    for (let at = 0; at < chunk.length && sent < mostDeltas; at += largestDelta) {
      sent++;
      onOutput(stream, chunk.subarray(at, at + largestDelta));
    }
  };
}
