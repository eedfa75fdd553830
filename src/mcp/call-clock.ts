/**
 * The time that something may take, and the signal that it is over.
 *
 * It stands still while the user is asked something. `stop` it when the thing is done: from then on
 * the outer signal means nothing to it any more.
 */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #expired = false;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.#leftMs = limitMs;
    this.#outer = outer;
    if (outer?.aborted) this.#controller.abort(outer.reason);
    outer?.addEventListener("abort", this.#onOuterAbort, { once: true });
    this.#run();
  }

  /** Aborts when the time is up or the outer signal does. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time was up. */
  get expired(): boolean {
    return this.#expired;
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#startedAt;
  }

  resume(): void {
    if (--this.#pauses === 0) this.#run();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onOuterAbort);
    // Nobody is left to be told; a late `resume` must not start it again.
    this.#pauses = Number.POSITIVE_INFINITY;
  }

  #run(): void {
    this.#startedAt = performance.now();
    if (this.#leftMs > longestTimer) return;
    this.#timer = setTimeout(
      () => {
        this.#expired = true;
        this.#controller.abort(new Error("the time is up"));
      },
      Math.max(0, this.#leftMs),
    );
  }

  readonly #onOuterAbort = (): void => this.#controller.abort(this.#outer?.reason);
}

const longestTimer = 2 ** 31 - 1;

/** A length of time as people write it: `10s`, `1.5s`, `300ms`. */
export function durationText(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

/** Waits for a promise, but not longer than until the signal aborts: then it rejects with its reason. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
