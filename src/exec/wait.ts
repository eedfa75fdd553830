import { setImmediate as nextTurn } from "node:timers/promises";

/** What a timer can hold; longer than anyone waits. */
const longestTimer = 2 ** 31 - 1;

/** Waits until something is done, the time is over, or the signal is given; whichever is first. */
export function waitFor(
  done: Promise<unknown>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<"done" | "timeout" | "abort"> {
  return new Promise((resolve) => {
    const settle = (outcome: "done" | "timeout" | "abort") => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const onAbort = () => settle("abort");
    const timer = setTimeout(() => settle("timeout"), Math.min(timeoutMs, longestTimer));
    signal?.addEventListener("abort", onAbort, { once: true });
    void done.then(() => settle("done"));
    if (signal?.aborted) settle("abort");
  });
}

/**
 * Waits for pipes to be closed, but no longer than this after the process they belong to has ended.
 *
 * On a busy machine the time can be over before anything was read at all, so what is there then is
 * still taken.
 */
export async function waitForPipes(closed: Promise<unknown>, timeoutMs: number): Promise<void> {
  if ((await waitFor(closed, timeoutMs)) === "done") return;
  await nextTurn();
  await nextTurn();
}
