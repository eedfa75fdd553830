import type { Clock } from "../../lib/clock.js";
import type { Broker } from "../broker.js";
import { poolOf } from "../pool-of.js";
import { isFirstWorker } from "./is-first-worker.js";
import { ThreadView } from "./thread-view.js";

/** Options of a sweeper. */
export interface SweeperOptions {
  broker: Broker;
  worker: string;
  pool: string;
  clock: Clock;
  /** Pause between two looks. */
  intervalMs: number;
}

/**
 * Wakes the pool for threads whose last submission nobody reads.
 *
 * A gateway that is killed between storing a submission and waking the pool leaves such a thread behind. One worker of a pool
 * looks, the first by name; a submission is due if it was there at the look before.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  #mark = 0;
  /** Threads of the last look, with the position of their last submission. */
  #seen: ReadonlyMap<string, number> = new Map();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, intervalMs } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(intervalMs, signal).catch(() => {});
      // What cannot be read now is looked at the next time.
      if (!signal.aborted) await this.#look().catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const { broker } = this.#options;
    if (!(await isFirstWorker(broker, this.#options))) {
      this.#mark = 0;
      this.#seen = new Map();
      return;
    }
    for (const [threadId, position] of this.#seen) await this.#check(threadId, position);
    const { mark, threads } = await broker.submissions.recent(this.#mark);
    this.#mark = mark;
    this.#seen = threads;
  }

  async #check(threadId: string, position: number): Promise<void> {
    const { broker } = this.#options;
    // Its owner, or the one that takes it over, reads all submissions.
    if ((await broker.leases.read(threadId)) !== undefined) return;
    const entry = await broker.directory.get(threadId);
    if ((entry?.readTo ?? 0) >= position) return;
    const pool = (await poolOf(broker, threadId, entry)) ?? this.#options.pool;
    if (pool !== this.#options.pool) return;
    if (!(await isApplied(broker, threadId, position))) await broker.wakes.wake(pool, threadId);
  }
}

async function isApplied({ log }: Broker, threadId: string, position: number): Promise<boolean> {
  const view = new ThreadView();
  for await (const batch of log.read(threadId, 0)) view.readBatch(batch, () => {});
  return view.applied.has(position);
}
