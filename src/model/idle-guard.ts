/**
 * Watches one request: its signal aborts when the caller's does, or when nothing happens for too
 * long. Must be ended.
 */
export class IdleGuard {
  #controller = new AbortController();
  #caller: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  #timedOut = false;

  constructor(limitMs: number, caller: AbortSignal) {
    this.#caller = caller;
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener("abort", this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#onTimer(), Math.min(limitMs, longestTimerMs));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the signal aborted because nothing happened. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** Something happened: the time starts anew. */
  touch(): void {
    this.#paused = false;
    this.#timer?.refresh();
  }

  /** Nobody is waiting: the time does not count until the next `touch`. */
  pause(): void {
    this.#paused = true;
  }

  /** Throws the caller's reason when it was the caller who aborted. */
  throwIfCancelled(): void {
    this.#caller.throwIfAborted();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#caller.removeEventListener("abort", this.#onAbort);
  }

  #onTimer(): void {
    if (this.#paused) {
      this.#timer?.refresh();
      return;
    }
    this.#timedOut = true;
    this.#controller.abort(new Error("nothing came for too long"));
  }

  #onAbort = (): void => {
    this.#controller.abort(this.#caller.reason);
  };
}

/** Longer times make a timer fire at once. */
const longestTimerMs = 2 ** 31 - 1;
