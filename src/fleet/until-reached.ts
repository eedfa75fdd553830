import { setTimeout as delay } from "node:timers/promises";
import { UnreachableError } from "./broker.js";

/** Limits of `untilReached`. */
export interface UntilReachedOptions {
  signal?: AbortSignal;
  /** Longest pause between two calls. */
  maxPauseMs?: number;
}

/** Repeats a call while the broker is away; throws other errors, and the reason of the signal. */
export async function untilReached<Result>(
  call: () => Promise<Result>,
  { signal, maxPauseMs = 1000 }: UntilReachedOptions = {},
): Promise<Result> {
  for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
    await delay(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}
