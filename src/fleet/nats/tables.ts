import type { Directory, Marks, Workers } from "../broker.js";
import type { LeaseRow, LeaseTable } from "../leases.js";
import { readDirectoryEntry, readLease, readMark, readWorker } from "../read-values.js";
import { unknownWorker } from "../unknown-worker.js";
import type { Connection } from "./connection.js";
import type { StoredMessage } from "./messages.js";
import type { Quarantine } from "./quarantine.js";
import { RowCache } from "./row-cache.js";
import { nameOf, type StreamKind, type Subjects } from "./subjects.js";
import { isRemoved, Table } from "./table.js";
import type { Values } from "./values.js";

/** Parts that the tables share. */
export interface TableParts {
  connection: Connection;
  subjects: Subjects;
  values: Values;
  quarantine: Quarantine;
}

/** The leases. */
export function createLeaseTable(parts: TableParts): LeaseTable {
  const table = new Table(parts.connection, parts.subjects, "lease");
  const read = (message: StoredMessage) => readRow(parts, "lease", message, readLease, "threadId");
  const toRow = async (message: StoredMessage): Promise<LeaseRow | undefined> => {
    const lease = await read(message);
    return lease && { revision: message.position, lease };
  };
  return {
    async get(threadId) {
      const message = await table.get(threadId);
      return message && toRow(message);
    },
    async list() {
      return present(await Promise.all((await table.list()).map(toRow)));
    },
    async write(lease, expected) {
      const [threadId, payload] = [lease.threadId, JSON.stringify(lease)];
      const revision = await table.write(threadId, payload, expected);
      if (revision !== undefined || expected !== 0) return revision;
      // A message that is not a lease is replaced.
      const stored = await table.get(threadId);
      if (stored === undefined || (await toRow(stored)) !== undefined) return undefined;
      return table.write(threadId, payload, stored.position);
    },
    remove: (threadId, expected) => table.remove(threadId, expected),
    async watch(pool, onChange, signal) {
      let last = Promise.resolve();
      const change = async (message: StoredMessage, removed: boolean) => {
        const row = removed ? undefined : await toRow(message);
        const threadId = nameOf(message.subject);
        if (row === undefined || row.lease.pool === pool) onChange(threadId, row);
      };
      await table.watch((message, removed) => {
        last = last.then(() => change(message, removed));
      }, signal);
      await last;
    },
  };
}

/** The directory of threads. */
export function createDirectory(parts: TableParts): Directory {
  const table = new Table(parts.connection, parts.subjects, "thread");
  const read = (message: StoredMessage) =>
    readRow(parts, "thread", message, readDirectoryEntry, "threadId");
  const cache = new RowCache(table, async (message) =>
    isRemoved(message) ? undefined : read(message),
  );
  return {
    async put(entry) {
      const { payload, headers } = await parts.values.encode(entry, entry.threadId);
      await table.put(entry.threadId, payload, headers);
    },
    async get(threadId) {
      const message = await table.get(threadId);
      return message && read(message);
    },
    list: () => cache.list(),
  };
}

/** The threads that are archived or deleted. */
export function createMarks(parts: TableParts): Marks {
  const table = new Table(parts.connection, parts.subjects, "mark");
  const read = (message: StoredMessage) => readRow(parts, "mark", message, readMark, "threadId");
  return {
    put: (mark) => table.put(mark.threadId, JSON.stringify(mark)),
    async remove(threadId) {
      // Gateways act on it, and one may be slow.
      await table.remove(threadId, undefined, 60_000);
    },
    async list() {
      return present(await Promise.all((await table.list()).map(read)));
    },
    async watch(onChange, signal) {
      let last = Promise.resolve();
      await table.watch((message, removed) => {
        last = last.then(async () => {
          const mark = removed ? undefined : await read(message);
          if (removed || mark !== undefined) onChange(nameOf(message.subject), mark);
        });
      }, signal);
      await last;
    },
  };
}

/** The announced workers. A request on a worker's subject asks it to drain. */
export function createWorkers(parts: TableParts): Workers {
  const { connection, subjects } = parts;
  const table = new Table(connection, subjects, "worker");
  const list = async () => {
    const read = (message: StoredMessage) => readRow(parts, "worker", message, readWorker, "name");
    return present(await Promise.all((await table.list()).map(read)));
  };
  return {
    announce: (worker) => table.put(worker.name, JSON.stringify(worker)),
    async leave(name) {
      await table.remove(name);
    },
    list,
    async drain(name) {
      const answer = await connection.ask(subjects.of("drain", name), "", 5_000);
      if (answer === undefined) throw unknownWorker(name, await list());
    },
    async onDrain(name, callback, signal) {
      const subscription = connection.subscribe(subjects.of("drain", name), (message) => {
        callback();
        message.respond("draining");
      });
      AbortSignal.any([signal, connection.closed]).addEventListener("abort", () =>
        subscription.unsubscribe(),
      );
      // The server knows the subscription once it answers something that was sent after it.
      await connection.flush();
    },
  };
}

/** Reads the value of a row, which must name itself as its subject does. */
function readRow<Value, Name extends keyof Value>(
  { values, quarantine }: TableParts,
  kind: StreamKind,
  message: StoredMessage,
  read: (value: unknown) => Value,
  name: Name,
): Promise<Value | undefined> {
  return quarantine.read(kind, message, async () => {
    const value = read(await values.decode(message));
    if (value[name] === nameOf(message.subject)) return value;
    throw new Error(`The message is about ${String(value[name])}`);
  });
}

function present<Value>(values: readonly (Value | undefined)[]): Value[] {
  return values.filter((value) => value !== undefined);
}
