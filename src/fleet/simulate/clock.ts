import type { Clock } from "../../lib/clock.js";

/** A clock that jumps from one pending sleep to the next, so that hours pass in seconds. */
export class SimulatedClock implements Clock {
  readonly #sleeps = new Map<number, Set<() => void>>();
  readonly #stepMs: number;
  #nowMs = 0;

  /** Sleeps end at multiples of `stepMs`: all that are due in a step wake together. */
  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const at = Math.ceil((this.#nowMs + Math.max(ms, 1)) / this.#stepMs) * this.#stepMs;
      const sleeps = this.#sleeps.get(at) ?? new Set();
      this.#sleeps.set(at, sleeps);
      const onAbort = () => {
        sleeps.delete(wake);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      sleeps.add(wake);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Advances to a time, and lets everything run that happens until then. */
  async advanceTo(endMs: number): Promise<void> {
    for (let atMs = this.#nowMs + this.#stepMs; atMs <= endMs; atMs += this.#stepMs) {
      this.#nowMs = atMs;
      const due = this.#sleeps.get(atMs);
      this.#sleeps.delete(atMs);
      for (const wake of due ?? []) wake();
      // All promises settle before the next task of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
