/**
 * Deadline of a call, as an abort signal.
 *
 * It can be paused while the user answers a question. Call `stop` when the call is done: the outer
 * signal is ignored from then on.
 */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #limitMs: number;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #expired = false;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.#limitMs = limitMs;
    this.#leftMs = limitMs;
    this.#outer = outer;
    if (outer?.aborted) this.#controller.abort(outer.reason);
    outer?.addEventListener("abort", this.#onOuterAbort, { once: true });
    this.#run();
  }

  /** Aborts when the deadline passes or the outer signal aborts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if the deadline has passed. */
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
    // A late `resume` must not restart a stopped clock.
    this.#pauses = Number.POSITIVE_INFINITY;
  }

  #run(): void {
    this.#startedAt = performance.now();
    if (this.#leftMs > longestTimer) return;
    this.#timer = setTimeout(
      () => {
        this.#expired = true;
        this.#controller.abort(new Error(`timed out after ${durationText(this.#limitMs)}`));
      },
      Math.max(0, this.#leftMs),
    );
  }

  readonly #onOuterAbort = (): void => this.#controller.abort(this.#outer?.reason);
}

const longestTimer = 2 ** 31 - 1;

/** Formats a duration: `10s`, `1.5s`, `300ms`. */
export function durationText(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

/** Waits for a promise until the signal aborts, then rejects with the signal's reason. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
