import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Passes on what a process writes. If `onChunk` returns a promise, the stream is paused until that
 * resolves, so that a process is slowed down by whoever reads its output.
 *
 * Call the result when the process has ended: from then on nothing is held back, since what is left is
 * little. It resolves when what was held back has been passed on.
 */
export function readOutput(
  stream: Readable | null,
  onChunk: (chunk: Buffer) => unknown,
): () => Promise<void> {
  let hasEnded = false;
  stream?.on("data", (chunk: Buffer) => {
    const room = onChunk(chunk);
    if (!(room instanceof Promise) || hasEnded) return;
    stream.pause();
    void room.then(() => stream.resume());
  });
  return async () => {
    hasEnded = true;
    if (stream === null || !stream.isPaused()) return;
    stream.resume();
    await nextTurn();
  };
}
