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
