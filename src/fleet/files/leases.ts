import type { LeaseRow, LeaseTable, StoredLease } from "../leases.js";
import { readLease } from "../read-values.js";
import type { Folder } from "./folder.js";

/** The leases. The file of a released one stays, because it has the last revision. */
export function createLeaseTable(folder: Folder, closed: AbortSignal): LeaseTable {
  const change = (threadId: string, expected: number, lease: StoredLease | null) =>
    folder.locked(threadId, async () => {
      const { revision, row } = read(folder, threadId);
      if ((row === undefined ? 0 : revision) !== expected) return undefined;
      await folder.write(threadId, { revision: revision + 1, lease });
      return revision + 1;
    });
  const list = () => folder.names().flatMap((name) => read(folder, name).row ?? []);

  return {
    get: async (threadId) => read(folder, threadId).row,
    list: async () => list(),
    write: (lease, expected) => change(lease.threadId, expected, lease),
    remove: async (threadId, expected) => (await change(threadId, expected, null)) !== undefined,
    async watch(pool, onChange, signal) {
      const end = AbortSignal.any([signal, closed]);
      const known = new Map<string, number>();
      const look = () => {
        const rows = list().filter(({ lease }) => lease.pool === pool);
        const present = new Set(rows.map(({ lease }) => lease.threadId));
        for (const threadId of [...known.keys()].filter((name) => !present.has(name))) {
          known.delete(threadId);
          onChange(threadId, undefined);
        }
        for (const row of rows) {
          const { threadId } = row.lease;
          if (known.get(threadId) === row.revision) continue;
          known.set(threadId, row.revision);
          onChange(threadId, row);
        }
      };
      look();
      void (async () => {
        while (!end.aborted) {
          await folder.changed(undefined, end);
          if (!end.aborted) look();
        }
      })();
    },
  };
}

function read(folder: Folder, threadId: string): { revision: number; row?: LeaseRow } {
  const stored = folder.readAs(threadId, (value) => {
    const { revision, lease } = value as { revision: number; lease: unknown };
    if (!Number.isSafeInteger(revision)) throw new Error("It has no revision");
    return { revision, lease: lease === null ? undefined : readLease(lease) };
  });
  if (stored?.lease === undefined) return { revision: stored?.revision ?? 0 };
  const { revision, lease } = stored;
  return { revision, row: { revision, lease } };
}
