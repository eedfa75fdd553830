import { createDeferred } from "../lib/async.js";
import { waitFor } from "./child.js";

/**
 * Stops the clock of time limits while it is closed.
 *
 * A limit that is running when the hold closes has the same time left when it opens again.
 */
export class Hold {
  #opened: ReturnType<typeof createDeferred<void>> | undefined;
  #closedAt = 0;
  #totalMs = 0;

  /** Closes or opens it; the same call twice changes nothing. */
  set(isClosed: boolean): void {
    if (isClosed === (this.#opened !== undefined)) return;
    if (isClosed) {
      this.#opened = createDeferred<void>();
      this.#closedAt = performance.now();
    } else {
      this.#totalMs += performance.now() - this.#closedAt;
      this.#opened?.resolve();
      this.#opened = undefined;
    }
  }

  /** Waits like `waitFor`; time during which it was closed does not count. */
  async waitFor(
    done: Promise<unknown>,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<"done" | "timeout" | "abort"> {
    const [began, heldBefore] = [performance.now(), this.#heldMs];
    for (let left = timeoutMs; left > 0; ) {
      const first = await waitFor(done, left, signal);
      if (first !== "timeout") return first;
      if (this.#opened !== undefined) {
        const either = Promise.race([done, this.#opened.promise]);
        const second = await waitFor(either, Number.MAX_VALUE, signal);
        if (second === "abort" || this.#opened !== undefined) return second;
      }
      left = this.#heldMs - heldBefore + timeoutMs - (performance.now() - began);
    }
    return "timeout";
  }

  get #heldMs(): number {
    const now = this.#opened === undefined ? 0 : performance.now() - this.#closedAt;
    return this.#totalMs + now;
  }
}
