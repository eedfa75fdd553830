import { FencedError } from "./broker.js";

/** The error for an append after another owner's. */
export function fenced(threadId: string, expected: number, head: number): FencedError {
  return new FencedError(
    `Another owner has appended to the log of thread ${threadId}: expected position ${expected}, got ${head}`,
  );
}
