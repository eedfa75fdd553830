/**
 * Supervises one request: its signal aborts when the caller's does, or after a period without
 * activity. Must be ended.
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

  /** True if the signal aborted because of inactivity. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** Records activity: restarts the timeout. */
  touch(): void {
    this.#paused = false;
    this.#timer?.refresh();
  }

  /** Suspends the timeout until the next `touch`, while the stream is not being read. */
  pause(): void {
    this.#paused = true;
  }

  /** Throws the caller's reason if the caller aborted. */
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
    this.#controller.abort(new Error("timed out: no data received"));
  }

  #onAbort = (): void => {
    this.#controller.abort(this.#caller.reason);
  };
}

/** Longer timers fire immediately. */
const longestTimerMs = 2 ** 31 - 1;
