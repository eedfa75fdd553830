import { setMaxListeners } from "node:events";
import { join } from "node:path";
import type {
  Answers,
  Broker,
  LogBatch,
  SentSubmission,
  Submissions,
  ThreadLog,
} from "../broker.js";
import type { BrokerOptions } from "../connection-options.js";
import { fenced } from "../fenced.js";
import { createLeases } from "../leases.js";
import { monotonicClock } from "../monotonic-clock.js";
import { readAnswer, readBatch, readDirectoryEntry, readSubmission } from "../read-values.js";
import { Folder } from "./folder.js";
import { Journal } from "./journal.js";
import { createLeaseTable } from "./leases.js";
import { createLive } from "./live.js";
import { createMarks } from "./marks.js";
import { createWakes } from "./wakes.js";
import { createWorkers } from "./workers.js";

/** Opens a broker for the processes of one machine, whose store is a folder. */
export function openFiles(root: string, options: BrokerOptions): Broker {
  const { tenant = "default", onWarning: warn = () => {} } = options;
  const end = new AbortController();
  const closed = end.signal;
  setMaxListeners(0, closed); // each loop that waits has one
  const folder = (name: string) => new Folder(join(root, tenant, name), warn, closed);
  const journalFolders: Folder[] = [];
  const journal = <Value extends object>(name: string, parse: (value: unknown) => Value) => {
    const own = folder(name);
    journalFolders.push(own);
    return new Journal({ folder: own, parse, warn, closed });
  };
  const live = folder("live");
  const wakes = createWakes(folder("wakes"), closed);
  const threads = folder("threads");
  const blobs = folder("blobs");
  const journals = {
    log: journal("log", readStoredBatch),
    submissions: journal("submissions", readSubmission),
    answers: journal("answers", readAnswer),
  };
  return {
    log: createLog(journals.log),
    submissions: createSubmissions(journals.submissions),
    wakes,
    leases: createLeases(createLeaseTable(folder("leases"), closed), monotonicClock),
    live: createLive(live, closed),
    answers: createAnswers(journals.answers),
    directory: {
      put: (entry) => threads.write(entry.threadId, entry),
      get: async (threadId) => threads.readAs(threadId, readDirectoryEntry),
      list: async () =>
        threads.names().flatMap((name) => threads.readAs(name, readDirectoryEntry) ?? []),
    },
    marks: createMarks(folder("marks"), closed),
    async forget(threadId) {
      for (const stored of [...journalFolders, threads, live]) stored.remove(threadId);
      await wakes.forget(threadId);
    },
    workers: createWorkers({ workers: folder("workers"), drains: folder("drains") }, closed),
    blobs: {
      put: (name, value) => blobs.write(name, Buffer.from(value).toString("base64")),
      get: async (name) => {
        const stored = blobs.read(name);
        return typeof stored === "string"
          ? new Uint8Array(Buffer.from(stored, "base64"))
          : undefined;
      },
    },
    inspect: async () => ({ server: `files in ${root}`, roundTripMs: 0, stores: [], skipped: 0 }),
    async close() {
      end.abort();
    },
  };
}

/** A batch, with the position after which it was appended: that recognizes a repetition. */
type StoredBatch = LogBatch & { expected: number };

function readStoredBatch(value: unknown): StoredBatch {
  const { expected } = (value ?? {}) as { expected?: unknown };
  return { ...readBatch(value), expected: Number(expected) };
}

function createLog(journal: Journal<StoredBatch>): ThreadLog {
  return {
    async append(threadId, batch, expected) {
      let repeated: number | undefined;
      const position = await journal.append(threadId, ({ head, read }) => {
        if (head === expected) return { ...batch, expected };
        const last = [...read()].at(-1);
        if (last?.epoch === batch.epoch && last.expected === expected) repeated = last.position;
        else throw fenced(threadId, expected, head);
        return undefined;
      });
      return position ?? (repeated as number);
    },
    async *read(threadId, after) {
      for (const { expected: _, ...batch } of journal.read(threadId, after)) yield batch;
    },
    async *follow(threadId, after, signal) {
      for await (const { expected: _, ...batch } of journal.follow(threadId, after, signal)) {
        yield batch;
      }
    },
    head: async (threadId) => journal.head(threadId),
  };
}

function createSubmissions(journal: Journal<SentSubmission>): Submissions {
  return {
    async put(threadId, submission) {
      let before: number | undefined;
      const position = await journal.append(threadId, ({ read }) => {
        for (const stored of read()) if (stored.id === submission.id) before = stored.position;
        return before === undefined ? submission : undefined;
      });
      return position === undefined
        ? { position: before as number, isNew: false }
        : { position, isNew: true };
    },
    follow: (threadId, after, signal) => journal.follow(threadId, after, signal),
    head: async (threadId) => journal.head(threadId),
    recent: async (mark) => journal.changedSince(mark),
  };
}

function createAnswers(journal: Journal<ReturnType<typeof readAnswer>>): Answers {
  return {
    async answer(threadId, answer) {
      const position = await journal.append(threadId, ({ read }) => {
        for (const { question } of read()) if (question === answer.question) return undefined;
        return answer;
      });
      return position !== undefined;
    },
    async follow(threadId, onAnswer, signal) {
      let head = 0;
      for (const { position, ...answer } of journal.read(threadId, 0)) {
        head = position;
        onAnswer(answer);
      }
      void (async () => {
        for await (const { position: _, ...answer } of journal.follow(threadId, head, signal)) {
          onAnswer(answer);
        }
      })();
    },
  };
}
