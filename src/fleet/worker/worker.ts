import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { createDeferred } from "../../lib/async.js";
import { errorText } from "../../lib/errors.js";
import { isUuid } from "../../rollout/index.js";
import { announceEveryMs, type LeaseRecord, UnreachableError, type WakeUp } from "../broker.js";
import { Changes } from "../changes.js";
import { monotonicClock } from "../monotonic-clock.js";
import type { HostServices } from "./host-services.js";
import { HostedThread } from "./hosted-thread.js";
import { Janitor, type Retention } from "./janitor.js";
import { Sweeper } from "./sweeper.js";
import { Takeovers } from "./takeovers.js";
import { countLease } from "./thread-metrics.js";

/** Options of a worker. */
export interface WorkerOptions extends HostServices {
  /** Most threads that it runs at a time. */
  maxThreads: number;
  /** Pause between two looks for submissions that nobody reads. */
  sweepMs: number;
  /** Ages at which threads are deleted. */
  retention?: Retention;
}

/** Runs the threads of a pool: takes those that have work, and those whose worker was lost. */
export class FleetWorker {
  readonly #options: WorkerOptions;
  readonly #threads = new Map<string, HostedThread>();
  readonly #stop = new AbortController();
  readonly #changes = new Changes();
  readonly #gone = createDeferred<void>();
  /** Threads whose lease is being taken. */
  readonly #taking = new Set<string>();
  readonly #takeovers = new Takeovers((threadId) => this.#takeOver(threadId));
  readonly #draining = new AbortController();
  /** Wake-ups that wait, as last counted. */
  #pending = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Starts to take threads; resolves when it does. */
  async start(): Promise<void> {
    const { broker, worker, pool, home } = this.#options;
    const { signal } = this.#stop;
    setMaxListeners(0, signal, this.#draining.signal);
    await rm(home, { recursive: true, force: true });
    await broker.workers.onDrain(worker, () => this.drain(), signal);
    await broker.leases.watchLost(pool, (lost) => void this.#onLost(lost), signal);
    // An account that may not take threads is refused here, once.
    this.#pending = await broker.wakes.pending(pool);
    await this.#announce();
    this.#measure();
    void this.#announceOften();
    void this.#takeWakes();
    const { sweepMs: intervalMs, retention = {}, parts } = this.#options;
    const sweeper = new Sweeper({ broker, worker, pool, clock: monotonicClock, intervalMs });
    const either = AbortSignal.any([signal, this.#draining.signal]);
    void sweeper.run(either);
    const janitor = new Janitor({ ...this.#options, retention, clock: parts.clock, intervalMs });
    await janitor.start(either);
  }

  /** Registers the gauges; they end with the process. */
  #measure(): void {
    const { metrics } = this.#options;
    metrics?.observe("quire.fleet.leases", () => this.#threads.size);
    metrics?.observe("quire.fleet.queue.pending", () => this.#pending);
  }

  get isReady(): boolean {
    return !this.#isDraining;
  }

  get #isDraining(): boolean {
    return this.#draining.signal.aborted;
  }

  /** Number of threads that are here. */
  get size(): number {
    return this.#threads.size;
  }

  /** Resolves when it has drained, or was stopped. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Takes nothing more. Turns end, or are handed over between two commands if the pool has another worker. */
  drain(): void {
    if (this.#isDraining) return;
    this.#draining.abort();
    this.#changes.notify();
    void this.#drain();
  }

  /** Stops at once, as if it were killed; only its processes are ended. */
  async abandon(): Promise<void> {
    this.#draining.abort();
    this.#stop.abort();
    for (const thread of this.#threads.values()) thread.abandon();
    await this.#whenEmpty();
    this.#gone.resolve();
  }

  async #drain(): Promise<void> {
    const { broker, worker } = this.#options;
    await this.#announce();
    while (this.#threads.size + this.#taking.size > 0) {
      const mayHandOver = await this.#hasOthers();
      for (const thread of this.#threads.values()) thread.drain(mayHandOver);
      // Another worker may come while a turn runs.
      await this.#changeOrAfter(drainCheckMs);
    }
    await broker.workers.leave(worker).catch(() => {});
    this.#stop.abort();
    this.#gone.resolve();
  }

  async #hasOthers(): Promise<boolean> {
    const { broker, pool, worker } = this.#options;
    try {
      const workers = await broker.workers.list();
      return workers.some((one) => one.pool === pool && one.name !== worker && !one.draining);
    } catch {
      return false;
    }
  }

  async #announceOften(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#changeOrAfter(announceEveryMs);
      if (!signal.aborted) await this.#announce();
    }
  }

  async #announce(): Promise<void> {
    const { broker, worker: name, pool, metrics } = this.#options;
    const info = { name, pool, threads: this.#threads.size, draining: this.#isDraining };
    // It is repeated soon.
    await broker.workers.announce(info).catch(() => {});
    if (metrics !== undefined) {
      this.#pending = await broker.wakes.pending(pool).catch(() => this.#pending);
    }
  }

  async #takeWakes(): Promise<void> {
    const { broker, pool, report } = this.#options;
    const { signal } = this.#stop;
    const either = AbortSignal.any([signal, this.#draining.signal]);
    while (!either.aborted) {
      while (this.#isFull && !signal.aborted) await this.#changes.next(signal);
      try {
        const wake = await broker.wakes.next(pool, either);
        if (wake !== undefined) await this.#onWake(wake);
      } catch (error) {
        if (!(error instanceof UnreachableError)) {
          report(`a wake-up could not be handled: ${errorText(error)}`);
        }
        await sleep(retryMs);
      }
    }
  }

  async #onWake(wake: WakeUp): Promise<void> {
    const { broker, report } = this.#options;
    const { threadId } = wake;
    if (!isUuid(threadId)) {
      report(`a wake-up was skipped: ${JSON.stringify(threadId)} is not the id of a thread`);
      return wake.done();
    }
    const own = this.#threads.get(threadId);
    if (own !== undefined) return own.isReading ? wake.done() : wake.later(closingMs);
    if (this.#taking.has(threadId)) return wake.later(closingMs);
    if (this.#isDraining) return wake.later(0);
    if (await this.#take(threadId)) return wake.done();
    // The holder looks once more after it has set the state to `closing`; if it is lost, the next one reads everything.
    const isRead = (await broker.leases.read(threadId))?.state === "held";
    return isRead ? wake.done() : wake.later(closingMs);
  }

  async #onLost({ threadId }: LeaseRecord): Promise<void> {
    if (this.#isFull || this.#isDraining) return;
    // Spreads the threads of a lost worker.
    await sleep(Math.random() * spreadMs * (1 + this.#threads.size));
    this.#takeovers.add(threadId);
  }

  async #takeOver(threadId: string): Promise<void> {
    if (this.#stop.signal.aborted || this.#isDraining || this.#isFull) return;
    // While it waited, another worker may have taken it.
    if (!this.#options.broker.leases.isLost(threadId)) return;
    if (await this.#take(threadId).catch(() => false)) await this.#threads.get(threadId)?.loaded;
  }

  get #isFull(): boolean {
    return this.#threads.size >= this.#options.maxThreads;
  }

  /** Takes the lease of a thread if it is free; true if this has made the thread one of this worker. */
  async #take(threadId: string): Promise<boolean> {
    // Its folder has the name of the thread, and is deleted with it.
    if (!isUuid(threadId)) return false;
    if (this.#threads.has(threadId) || this.#taking.has(threadId)) return false;
    const { broker, worker, pool, leaseMs, report } = this.#options;
    this.#taking.add(threadId);
    const takenAtMs = monotonicClock.now();
    try {
      const lease = await broker.leases.take(threadId, { worker, pool, durationMs: leaseMs });
      if (lease === undefined) return false;
      const thread = new HostedThread(this.#options, { lease, takenAtMs });
      this.#threads.set(threadId, thread);
      countLease(this.#options, "acquired");
      this.#changes.notify();
      const onEnd = () => {
        this.#threads.delete(threadId);
        this.#changes.notify();
      };
      void thread.run().then(onEnd, (error: unknown) => {
        report(`thread ${threadId} could not be cleaned up: ${errorText(error)}`);
        onEnd();
      });
      return true;
    } finally {
      this.#taking.delete(threadId);
      this.#changes.notify();
    }
  }

  /** Waits until something has changed, at most so long. */
  async #changeOrAfter(ms: number): Promise<void> {
    await this.#changes.next(this.#stop.signal, ms);
  }

  async #whenEmpty(): Promise<void> {
    while (this.#threads.size > 0) await this.#changes.next([]);
  }
}

const drainCheckMs = 500;
const retryMs = 100;
const closingMs = 200;
const spreadMs = 10;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
