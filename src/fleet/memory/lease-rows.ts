import type { LeaseRow, LeaseTable, OnLeaseChange, StoredLease } from "../leases.js";
import type { Link } from "./link.js";

/** The leases of all threads. */
export class LeaseRows {
  readonly #rows = new Map<string, LeaseRow>();
  readonly #watchers = new Set<{ pool: string; link: Link; onChange: OnLeaseChange }>();
  #revision = 0;
  /** Number of writes, for measurements. */
  writes = 0;

  get size(): number {
    return this.#rows.size;
  }

  connect(link: Link): LeaseTable {
    return {
      get: async (threadId) => {
        link.check();
        return this.#rows.get(threadId);
      },
      list: async () => {
        link.check();
        return [...this.#rows.values()];
      },
      write: async (lease, expected) => {
        link.check();
        return this.#write(lease, expected);
      },
      remove: async (threadId, expected) => {
        link.check();
        const row = this.#rows.get(threadId);
        if (row?.revision !== expected) return false;
        this.#rows.delete(threadId);
        this.#revision++;
        this.#notify(row.lease.pool, threadId, undefined);
        return true;
      },
      watch: async (pool, onChange, signal) => {
        link.check();
        const watcher = { pool, link, onChange };
        this.#watchers.add(watcher);
        link.until(signal).signal.addEventListener("abort", () => this.#watchers.delete(watcher));
        for (const [threadId, row] of this.#rows) {
          if (row.lease.pool === pool) onChange(threadId, row);
        }
      },
    };
  }

  #write(lease: StoredLease, expected: number): number | undefined {
    if ((this.#rows.get(lease.threadId)?.revision ?? 0) !== expected) return undefined;
    this.writes++;
    const row = { revision: ++this.#revision, lease: Object.freeze({ ...lease }) };
    this.#rows.set(lease.threadId, row);
    this.#notify(lease.pool, lease.threadId, row);
    return row.revision;
  }

  #notify(pool: string, threadId: string, row: LeaseRow | undefined): void {
    for (const watcher of this.#watchers) {
      if (watcher.pool === pool && !watcher.link.isCut) watcher.onChange(threadId, row);
    }
  }
}
