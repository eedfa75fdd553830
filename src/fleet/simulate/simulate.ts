import { randomUuid } from "../../lib/ids.js";
import { MemoryStore } from "../memory/index.js";
import { SimulatedClock } from "./clock.js";
import { ModelWorker, type TurnModel } from "./model-worker.js";

/** A fleet to simulate. */
export interface Simulation {
  /** Threads that exist. */
  threads: number;
  /** Threads that have a turn during the simulated time. */
  active: number;
  workers: number;
  /** Workers that are killed, one after the other, and replaced after a lease. */
  kills: number;
  leaseMs: number;
  durationMs: number;
  turn: TurnModel;
  /** Turns that each thread has had, for the size of the store. */
  turnsPerThread: number;
}

/** Measurements of a simulation. */
export interface Simulated {
  turns: { started: number; ended: number };
  takeovers: { count: number; slowestMs: number };
  /** Entries of an old owner after those of a newer one, and errors of workers; must be 0. */
  violations: number;
  load: { appendsPerSecond: number; renewalsPerSecond: number; mostLeases: number };
  /** Contents of the broker, with all threads. */
  store: { messages: number; bytes: number; subjects: number };
}

/** Runs workers on the broker in memory and a clock that jumps, with the code of real brokers. */
export async function simulate(simulation: Simulation): Promise<Simulated> {
  const { workers, active, durationMs } = simulation;
  const clock = new SimulatedClock(stepMs);
  const store = new MemoryStore(clock);
  const run = new Run(simulation, store, clock);
  await run.startWorkers(workers);
  const clients = store.connect();
  const threads = Array.from({ length: active }, randomUuid);
  const startMs = durationMs / 4;
  // Turns begin evenly in the first quarter.
  for (const [index, threadId] of threads.entries()) {
    const atMs = Math.floor(((index / active) * startMs) / stepMs) * stepMs;
    if (atMs > clock.now()) await run.advanceTo(atMs);
    await clients.submissions.put(threadId, { id: "1", op: { type: "interrupt" } });
    await clients.wakes.wake(pool, threadId);
  }
  await run.advanceTo(durationMs);
  return run.measure(threads);
}

const pool = "simulated";
/** Times are exact to this. */
const stepMs = 50;

class Run {
  readonly #simulation: Simulation;
  readonly #store: MemoryStore;
  readonly #clock: SimulatedClock;
  readonly #alive: ModelWorker[] = [];
  readonly #ended = new Set<string>();
  readonly #takeovers: number[] = [];
  readonly #kills: number[];
  #errors = 0;
  #names = 0;
  #mostLeases = 0;
  #lastKillMs = 0;

  constructor(simulation: Simulation, store: MemoryStore, clock: SimulatedClock) {
    this.#simulation = simulation;
    this.#store = store;
    this.#clock = clock;
    const { kills, durationMs } = simulation;
    // In the middle half, when most turns run.
    this.#kills = Array.from({ length: kills }, (_, n) => durationMs * (0.2 + (0.4 * n) / kills));
  }

  async startWorkers(count: number): Promise<void> {
    const { leaseMs, turn, active, workers } = this.#simulation;
    for (let n = 0; n < count; n++) {
      const worker = new ModelWorker({
        broker: this.#store.connect(),
        clock: this.#clock,
        name: `w${++this.#names}`,
        pool,
        leaseMs,
        maxThreads: Math.ceil((1.5 * active) / workers),
        turn,
        onTakeover: () => this.#takeovers.push(this.#clock.now() - this.#lastKillMs),
        onTurnEnd: (threadId) => this.#ended.add(threadId),
        onError: () => this.#errors++,
      });
      await worker.start();
      this.#alive.push(worker);
    }
  }

  /** Advances the clock, and kills workers on the way. */
  async advanceTo(endMs: number): Promise<void> {
    for (;;) {
      const [killMs] = this.#kills;
      const untilMs = Math.min(endMs, killMs ?? endMs, this.#clock.now() + 1_000);
      await this.#clock.advanceTo(untilMs);
      this.#mostLeases = Math.max(this.#mostLeases, this.#store.leases.size);
      if (killMs !== undefined && untilMs >= killMs) await this.#kill();
      else if (untilMs >= endMs) return;
    }
  }

  async #kill(): Promise<void> {
    this.#kills.shift();
    this.#alive.shift()?.kill();
    this.#lastKillMs = this.#clock.now();
    await this.startWorkers(1);
  }

  async measure(threads: readonly string[]): Promise<Simulated> {
    const { durationMs, turnsPerThread, threads: all } = this.#simulation;
    const { log, submissions, leases } = this.#store;
    const seconds = durationMs / 1000;
    const turnsMeasured = Math.max(1, this.#ended.size);
    const turns = all * turnsPerThread;
    // Entries of the directory are as large as two batches; there is one a thread.
    const entryBytes = 2 * this.#simulation.turn.batchBytes;
    return {
      turns: { started: threads.length, ended: this.#ended.size },
      takeovers: { count: this.#takeovers.length, slowestMs: Math.max(0, ...this.#takeovers) },
      violations: this.#errors + this.#wrongOrders(threads),
      load: {
        appendsPerSecond: log.messages / seconds,
        renewalsPerSecond: leases.writes / seconds,
        mostLeases: this.#mostLeases,
      },
      store: {
        messages: Math.round(((log.messages + submissions.messages) / turnsMeasured) * turns) + all,
        bytes:
          Math.round(((log.bytes + submissions.bytes) / turnsMeasured) * turns) + all * entryBytes,
        // Log, submissions and directory.
        subjects: 3 * all,
      },
    };
  }

  #wrongOrders(threads: readonly string[]): number {
    let count = 0;
    for (const threadId of threads) {
      let last = 0;
      for (const { epoch } of this.#store.log.read(threadId, 0)) {
        if (epoch < last) count++;
        last = epoch;
      }
    }
    return count;
  }
}
