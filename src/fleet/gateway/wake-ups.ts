import type { Broker, LogBatch } from "../broker.js";
import { Changes } from "../changes.js";
import { untilReached } from "../until-reached.js";

/** A thread, and the pool of its workers. */
export interface WakeUpOptions {
  broker: Broker;
  threadId: string;
  pool: string;
  /** Aborts when the gateway is done with the thread. */
  signal: AbortSignal;
}

/**
 * Wakes the pool of a thread for the submissions that are stored.
 *
 * A worker that has the thread reads them anyway. So while the log grows, the wake-up waits a moment for the log to show
 * that it is not needed: it would cost the broker and the worker as much as the start of the turn.
 */
export class WakeUps {
  readonly #options: WakeUpOptions;
  readonly #changes = new Changes();
  /** Time at which the log has grown last. */
  #grownAtMs = Number.NEGATIVE_INFINITY;
  /** Position of the last submission that a worker has read, as the log shows it. */
  #readTo = 0;

  constructor(options: WakeUpOptions) {
    this.#options = options;
  }

  /** Follows a new batch of the log. */
  onBatch({ applied }: Pick<LogBatch, "applied">): void {
    this.#grownAtMs = performance.now();
    // A worker reads submissions in order.
    this.#readTo = Math.max(this.#readTo, ...applied);
    this.#changes.notify();
  }

  /** Makes sure that a worker reads the submission at a position; resolves when one does, or the wake-up is stored. */
  async wakeFor(position: number): Promise<void> {
    const { broker, threadId, pool, signal } = this.#options;
    const isLoaded = performance.now() - this.#grownAtMs < loadedMs;
    if (isLoaded && (await this.#isReadSoon(position))) return;
    // One that is closing the thread still tries once.
    if (signal.aborted) await broker.wakes.wake(pool, threadId);
    else await untilReached(() => broker.wakes.wake(pool, threadId), { signal });
  }

  async #isReadSoon(position: number): Promise<boolean> {
    const endMs = performance.now() + soonMs;
    for (;;) {
      if (this.#readTo >= position) return true;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || this.#options.signal.aborted) return false;
      await this.#changes.next(this.#options.signal, leftMs);
    }
  }
}

/** A worker unloads a thread later than this after its last batch. */
const loadedMs = 3_000;
const soonMs = 100;
