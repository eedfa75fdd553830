import { setMaxListeners } from "node:events";
import type { Clock } from "../../lib/clock.js";
import {
  type Broker,
  FencedError,
  type Lease,
  type LogBatch,
  UnreachableError,
} from "../broker.js";
import { Changes } from "../changes.js";

/** Facts of a simulated turn. */
export interface TurnModel {
  /** Batches that a turn appends to the log. */
  batches: number;
  /** Time between two batches. */
  pauseMs: number;
  /** Size of a batch as JSON. */
  batchBytes: number;
}

/** Options of a simulated worker. */
export interface ModelWorkerOptions {
  broker: Broker;
  clock: Clock;
  name: string;
  pool: string;
  leaseMs: number;
  /** Most threads that it takes by wake-ups. */
  maxThreads: number;
  turn: TurnModel;
  /** Called when it continues a turn of a worker that was lost. */
  onTakeover(threadId: string): void;
  onTurnEnd(threadId: string): void;
  onError(error: unknown): void;
}

/**
 * A worker whose turns take time and fill the log, but ask no model and run no command.
 *
 * It calls the broker in the order of a real worker: wake-up, lease, log with its epoch, renewals, last look, release.
 */
export class ModelWorker {
  readonly #options: ModelWorkerOptions;
  readonly #dead = new AbortController();
  readonly #unloaded = new Changes();
  #threads = 0;

  constructor(options: ModelWorkerOptions) {
    this.#options = options;
    setMaxListeners(0, this.#dead.signal); // each of its threads sleeps
  }

  async start(): Promise<void> {
    const { broker, pool } = this.#options;
    const { signal } = this.#dead;
    const onLost = ({ threadId }: { threadId: string }) =>
      void this.#guard(this.#takeOver(threadId));
    await broker.leases.watchLost(pool, onLost, signal);
    void this.#guard(this.#takeWakes());
  }

  /** Ends it without a word to the broker, as a power cut does. */
  kill(): void {
    this.#dead.abort();
  }

  async #guard(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isExpected = error instanceof FencedError || error instanceof UnreachableError;
      if (!this.#dead.signal.aborted && !isExpected) this.#options.onError(error);
    }
  }

  async #takeWakes(): Promise<void> {
    const { broker, pool, maxThreads } = this.#options;
    for (;;) {
      while (this.#threads >= maxThreads && !this.#dead.signal.aborted) {
        await this.#unloaded.next(this.#dead.signal);
      }
      const wakeUp = await broker.wakes.next(pool, this.#dead.signal);
      if (wakeUp === undefined) return;
      const lease = await this.#take(wakeUp.threadId);
      await wakeUp.done();
      if (lease !== undefined) void this.#guard(this.#host(lease));
    }
  }

  async #takeOver(threadId: string): Promise<void> {
    const lease = await this.#take(threadId);
    if (lease === undefined) return;
    this.#options.onTakeover(threadId);
    await this.#host(lease);
  }

  #take(threadId: string): Promise<Lease | undefined> {
    const { broker, name: worker, pool, leaseMs: durationMs } = this.#options;
    return broker.leases.take(threadId, { worker, pool, durationMs });
  }

  async #host(lease: Lease): Promise<void> {
    this.#threads++;
    const unload = new AbortController();
    const renewals = this.#renew(lease, unload.signal);
    try {
      await this.#runTurns(lease);
      await lease.renew("closing");
      unload.abort();
      await lease.release();
    } finally {
      unload.abort();
      this.#threads--;
      this.#unloaded.notify();
      await renewals.catch(() => {});
    }
  }

  async #renew(lease: Lease, unload: AbortSignal): Promise<void> {
    const { clock, leaseMs } = this.#options;
    for (;;) {
      await clock.sleep(leaseMs / 4, unload);
      if (this.#dead.signal.aborted || !(await lease.renew())) return;
    }
  }

  /** Runs the turns that the submissions ask for and the log does not have yet. */
  async #runTurns(lease: Lease): Promise<void> {
    const { broker, clock, turn, onTurnEnd, name } = this.#options;
    const { threadId, epoch } = lease;
    let position = 0;
    let done = 0;
    for await (const batch of broker.log.read(threadId, 0)) {
      position = batch.position;
      done++;
    }
    const asked = await broker.submissions.head(threadId);
    while (asked > 0 && done < turn.batches) {
      await clock.sleep(turn.pauseMs, this.#dead.signal);
      const batch = sampleBatch({ epoch, worker: name, bytes: turn.batchBytes, seq: done * 16 });
      position = await broker.log.append(threadId, batch, position);
      if (++done % turn.batches === 0) onTurnEnd(threadId);
    }
  }
}

/** Creates a batch of about the given size. */
function sampleBatch({
  epoch,
  worker,
  bytes,
  seq,
}: {
  epoch: number;
  worker: string;
  bytes: number;
  seq: number;
}): LogBatch {
  const msg = { type: "warning" as const, message: "x".repeat(Math.max(0, bytes - 120)) };
  return { epoch, worker, applied: [1], entries: [{ seq, event: { id: "turn", msg } }] };
}
