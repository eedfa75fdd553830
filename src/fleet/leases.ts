import type { Clock } from "../lib/clock.js";
import type { Lease, LeaseHolder, LeaseRecord, Leases } from "./broker.js";
import { Changes } from "./changes.js";

/** A lease as a broker stores it. */
export interface StoredLease extends LeaseHolder {
  threadId: string;
  state: LeaseRecord["state"];
  /** Revision at which the holder took it; absent in that revision itself. */
  epoch?: number;
  renewals: number;
}

/** A stored lease with its revision. Revisions of one store only grow. */
export interface LeaseRow {
  revision: number;
  lease: StoredLease;
}

/** Storage of the leases, with compare-and-set. */
export interface LeaseTable {
  get(threadId: string): Promise<LeaseRow | undefined>;
  list(): Promise<LeaseRow[]>;
  /** Writes a lease if its revision is still `expected` (0: there is none); undefined if it is not. */
  write(lease: StoredLease, expected: number): Promise<number | undefined>;
  /** Removes a lease if it still has this revision. */
  remove(threadId: string, expected: number): Promise<boolean>;
  /** Calls back for each lease of a pool, and for each change; `undefined` if it was removed. Resolves when it watches. */
  watch(pool: string, onChange: OnLeaseChange, signal: AbortSignal): Promise<void>;
}

export type OnLeaseChange = (threadId: string, row: LeaseRow | undefined) => void;

/**
 * Leases over a table with compare-and-set.
 *
 * The table has no clock: each process measures with its own how long a revision has not changed. The epoch of a lease is
 * the revision at which it was taken, so it is higher than all before it even though released leases leave nothing.
 */
export function createLeases(table: LeaseTable, clock: Clock): Leases {
  const seen = new Map<string, Observation>();

  const observe = (threadId: string, row: LeaseRow | undefined): Observation | undefined => {
    if (row === undefined) {
      seen.delete(threadId);
      return undefined;
    }
    const before = seen.get(threadId);
    if (before !== undefined && before.row.revision === row.revision) return before;
    const sinceMs = clock.now();
    const { durationMs } = row.lease;
    const now = { row, sinceMs, lookAtMs: sinceMs + durationMs * (1 - lookAhead) };
    seen.set(threadId, now);
    return now;
  };

  const write = async (threadId: string, holder: LeaseHolder, expected: number) => {
    const { worker, pool, durationMs } = holder;
    const lease = { threadId, worker, pool, durationMs, state: "held" as const, renewals: 0 };
    const revision = await table.write(lease, expected);
    if (revision === undefined) return undefined;
    // Its holder may lose it before the first renewal, and this process be the only one to notice.
    observe(threadId, { revision, lease });
    return new HeldLease(table, { ...lease, epoch: revision }, revision);
  };

  return {
    async take(threadId, holder) {
      const known = seen.get(threadId);
      // One that was lost needs no further look: its revision is refused if it was renewed.
      if (known !== undefined && hasEnded(known, clock.now())) {
        const taken = await write(threadId, holder, known.row.revision);
        if (taken !== undefined) return taken;
      }
      const current = await table.get(threadId);
      const observed = observe(threadId, current);
      if (observed !== undefined && !hasEnded(observed, clock.now())) return undefined;
      return write(threadId, holder, current?.revision ?? 0);
    },

    async read(threadId) {
      const row = await table.get(threadId);
      return row === undefined ? undefined : toRecord(row);
    },

    async list() {
      return (await table.list()).map(toRecord);
    },

    isLost(threadId) {
      const known = seen.get(threadId);
      return known !== undefined && hasEnded(known, clock.now());
    },

    async watchLost(pool, onLost, signal) {
      const watched = new Set<string>();
      const changes = new Changes();
      const onChange: OnLeaseChange = (threadId, row) => {
        observe(threadId, row);
        if (row === undefined) watched.delete(threadId);
        else watched.add(threadId);
        changes.notify();
      };
      await table.watch(pool, onChange, signal);
      const check = async (threadId: string, observed: Observation) => {
        const row = await table.get(threadId);
        if (row === undefined) onChange(threadId, undefined);
        else if (observe(threadId, row) === observed) {
          const leftMs = observed.sinceMs + row.lease.durationMs - clock.now();
          // Timers may be early by a fraction.
          if (leftMs > 0) await clock.sleep(Math.ceil(leftMs) + 1, signal).catch(() => {});
          if (seen.get(threadId) === observed && !signal.aborted) onLost(toRecord(row));
        }
      };
      void reportLost({ watched, seen, changes, clock, check }, signal);
    },
  };
}

/** A revision of a lease, and the time at which this process saw it first. */
interface Observation {
  row: LeaseRow;
  sinceMs: number;
  /** Time of the next look, shortly before it ends: then its end is reported without delay. */
  lookAtMs: number;
}

/** Share of the duration by which the look precedes the end; the holder has given up by then. */
const lookAhead = 0.1;

function hasEnded({ row, sinceMs }: Observation, nowMs: number): boolean {
  return nowMs - sinceMs >= row.lease.durationMs;
}

function toRecord({ lease, revision }: LeaseRow): LeaseRecord {
  const { threadId, worker, pool, durationMs, state } = lease;
  return { threadId, worker, pool, durationMs, state, epoch: lease.epoch ?? revision };
}

interface LostWatch {
  watched: ReadonlySet<string>;
  seen: ReadonlyMap<string, Observation>;
  changes: Changes;
  clock: Clock;
  /** Reports a lease at its end if it is still stored as it was seen: the watch may be behind. */
  check(threadId: string, observed: Observation): Promise<void>;
}

async function reportLost(
  { watched, seen, changes, clock, check }: LostWatch,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let nextMs = Number.POSITIVE_INFINITY;
    let shortestMs = Number.POSITIVE_INFINITY;
    for (const threadId of watched) {
      const observed = seen.get(threadId);
      if (observed === undefined) continue;
      const nowMs = clock.now();
      if (nowMs >= observed.lookAtMs) {
        observed.lookAtMs = nowMs + observed.row.lease.durationMs;
        check(threadId, observed).catch(() => {
          observed.lookAtMs = clock.now() + retryMs; // the broker is away
        });
      }
      nextMs = Math.min(nextMs, observed.lookAtMs - nowMs);
      shortestMs = Math.min(shortestMs, observed.row.lease.durationMs);
    }
    if (nextMs === Number.POSITIVE_INFINITY) await changes.next(signal);
    // A lease with a shorter duration may come in between.
    else await clock.sleep(Math.min(nextMs, shortestMs / 8), signal).catch(() => {});
  }
}

const retryMs = 100;

/** A lease that this process holds. Its calls are made one after the other. */
class HeldLease implements Lease {
  readonly threadId: string;
  readonly #table: LeaseTable;
  /** Epoch at which it was taken. */
  readonly #takenAt: number;
  #lease: StoredLease & { epoch: number };
  #revision: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(table: LeaseTable, lease: StoredLease & { epoch: number }, revision: number) {
    this.#table = table;
    this.#lease = lease;
    this.#revision = revision;
    this.threadId = lease.threadId;
    this.#takenAt = lease.epoch;
  }

  get epoch(): number {
    return this.#lease.epoch;
  }

  raise(epoch: number): void {
    this.#lease = { ...this.#lease, epoch };
  }

  renew(given?: LeaseRecord["state"]): Promise<boolean> {
    return this.#inOrder(async () => {
      const renewals = this.#lease.renewals + 1;
      // The state of now: a change of it may have been on its way when this renewal was asked for.
      const state = given ?? this.#lease.state;
      const lease = { ...this.#lease, state, renewals };
      const revision = await this.#ifOwn((expected) => this.#table.write(lease, expected));
      if (revision === undefined) return false;
      this.#lease = { ...this.#lease, state, renewals };
      this.#revision = revision;
      return true;
    });
  }

  release(): Promise<void> {
    return this.#inOrder(async () => {
      await this.#ifOwn(async (expected) =>
        (await this.#table.remove(this.threadId, expected)) ? expected : undefined,
      );
    });
  }

  /** Repeats a change once if the answer to an earlier one was lost: the stored lease is ours, at a later revision. */
  async #ifOwn(change: (expected: number) => Promise<number | undefined>) {
    const revision = await change(this.#revision);
    if (revision !== undefined) return revision;
    const row = await this.#table.get(this.threadId);
    if (row === undefined || row.lease.worker !== this.#lease.worker) return undefined;
    const { epoch } = toRecord(row);
    if (epoch !== this.epoch && epoch !== this.#takenAt) return undefined;
    this.#revision = row.revision;
    return change(row.revision);
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
