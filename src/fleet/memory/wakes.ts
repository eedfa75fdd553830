import type { Clock } from "../../lib/clock.js";
import type { Wakes, WakeUp } from "../broker.js";
import { Changes } from "../changes.js";
import type { Link } from "./link.js";

/** The wake-ups of all pools. */
export class WakeTable {
  readonly #pools = new Map<string, Map<string, { takenUntilMs: number }>>();
  readonly #changes = new Changes();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  delete(threadId: string): void {
    for (const threads of this.#pools.values()) threads.delete(threadId);
  }

  connect(link: Link): Wakes {
    return {
      wake: async (pool, threadId) => {
        link.check();
        // A new row: the worker that has taken the one before does not remove it.
        this.#threads(pool).set(threadId, { takenUntilMs: 0 });
        this.#changes.notify();
      },
      next: async (pool, signal) => {
        const until = link.until(signal);
        return this.#next(pool, link, until.signal).finally(() => until.end());
      },
      pending: async (pool) => {
        link.check();
        const nowMs = this.#clock.now();
        const rows = [...this.#threads(pool).values()];
        return rows.filter(({ takenUntilMs }) => takenUntilMs <= nowMs).length;
      },
    };
  }

  async #next(pool: string, link: Link, signal: AbortSignal): Promise<WakeUp | undefined> {
    while (!signal.aborted) {
      await link.whenUp(signal);
      if (signal.aborted) break;
      const nowMs = this.#clock.now();
      let waitMs = Number.POSITIVE_INFINITY;
      for (const [threadId, row] of this.#threads(pool)) {
        if (row.takenUntilMs <= nowMs) return this.#take(pool, threadId, link);
        waitMs = Math.min(waitMs, row.takenUntilMs - nowMs);
      }
      await this.#wait(waitMs, signal);
    }
    return undefined;
  }

  #take(pool: string, threadId: string, link: Link): WakeUp {
    const row = { takenUntilMs: this.#clock.now() + takenMs };
    this.#threads(pool).set(threadId, row);
    const isTaken = () => this.#threads(pool).get(threadId) === row;
    return {
      threadId,
      done: async () => {
        link.check();
        if (isTaken()) this.#threads(pool).delete(threadId);
      },
      later: async (ms) => {
        link.check();
        if (!isTaken()) return;
        this.#threads(pool).set(threadId, { takenUntilMs: this.#clock.now() + ms });
        this.#changes.notify();
      },
    };
  }

  /** Waits for a change, at most so long. */
  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms === Number.POSITIVE_INFINITY) return this.#changes.next(signal);
    const stop = new AbortController();
    const change = this.#changes.next([signal, stop.signal]);
    await Promise.race([change, this.#clock.sleep(ms, stop.signal).catch(() => {})]);
    stop.abort();
  }

  #threads(pool: string) {
    const threads = this.#pools.get(pool) ?? new Map<string, { takenUntilMs: number }>();
    this.#pools.set(pool, threads);
    return threads;
  }
}

/** A wake-up comes again if its worker does nothing with it for so long. */
const takenMs = 2_000;
