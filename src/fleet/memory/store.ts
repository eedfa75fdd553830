import type { Clock } from "../../lib/clock.js";
import type {
  Answer,
  Broker,
  DirectoryEntry,
  LogBatch,
  SentSubmission,
  Submissions,
  ThreadLog,
} from "../broker.js";
import { fenced } from "../fenced.js";
import { createLeases } from "../leases.js";
import { monotonicClock } from "../monotonic-clock.js";
import { Journal } from "./journal.js";
import { LeaseRows } from "./lease-rows.js";
import { Link } from "./link.js";
import { MarkRows } from "./mark-rows.js";
import { WakeTable } from "./wakes.js";
import { WorkerRows } from "./worker-rows.js";

/** A client of a store in memory, whose connection can be cut. */
export interface MemoryBroker extends Broker {
  /** Cuts the connection: calls fail, and loops wait. */
  cut(): void;
  mend(): void;
}

/** A broker inside this process. Its threads end with it. */
export class MemoryStore {
  readonly log = new Journal<LogBatch>();
  readonly submissions = new Journal<SentSubmission>();
  readonly leases = new LeaseRows();
  readonly #clock: Clock;
  readonly #lastAppends = new Map<string, { epoch: number; expected: number }>();
  readonly #submitted = new Map<string, number>();
  readonly #answers = new Journal<Answer>();
  readonly #answered = new Set<string>();
  readonly #directory = new Map<string, string>();
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #listeners = new Map<string, Set<(json: string) => void>>();
  readonly #marks = new MarkRows();
  readonly #wakes: WakeTable;
  readonly #workers: WorkerRows;

  constructor(clock: Clock = monotonicClock) {
    this.#clock = clock;
    this.#wakes = new WakeTable(clock);
    this.#workers = new WorkerRows(clock);
  }

  /** Connects a client. Each has its own view of time, as the processes of a fleet have. */
  connect(): MemoryBroker {
    const link = new Link();
    return {
      log: this.#log(link),
      submissions: this.#queue(link),
      wakes: this.#wakes.connect(link),
      leases: createLeases(this.leases.connect(link), this.#clock),
      live: this.#live(link),
      answers: this.#answering(link),
      directory: this.#listing(link),
      marks: this.#marks.connect(link),
      forget: async (threadId) => {
        link.check();
        this.#forget(threadId);
      },
      workers: this.#workers.connect(link),
      blobs: {
        put: async (name, value) => {
          link.check();
          this.#blobs.set(name, value.slice());
        },
        get: async (name) => {
          link.check();
          return this.#blobs.get(name)?.slice();
        },
      },
      inspect: async () => {
        link.check();
        const { log, submissions } = this;
        const stores = Object.entries({ log, submissions, answers: this.#answers });
        return {
          server: "memory",
          roundTripMs: 0,
          stores: stores.map(([name, { messages, bytes }]) => ({ name, messages, bytes })),
          skipped: 0,
        };
      },
      cut: () => link.cut(),
      mend: () => link.mend(),
      close: async () => link.close(),
    };
  }

  #forget(threadId: string): void {
    for (const journal of [this.log, this.submissions, this.#answers]) journal.delete(threadId);
    for (const keys of [this.#submitted, this.#answered]) {
      for (const key of keys.keys()) if (key.startsWith(`${threadId} `)) keys.delete(key);
    }
    this.#lastAppends.delete(threadId);
    this.#directory.delete(threadId);
    this.#wakes.delete(threadId);
  }

  #log(link: Link): ThreadLog {
    const { log } = this;
    return {
      append: async (threadId, batch, expected) => {
        link.check();
        const { epoch } = batch;
        const head = log.head(threadId);
        const last = this.#lastAppends.get(threadId);
        if (head !== expected) {
          if (last?.epoch === epoch && last.expected === expected) return head; // repeated
          throw fenced(threadId, expected, head);
        }
        this.#lastAppends.set(threadId, { epoch, expected });
        return log.append(threadId, batch);
      },
      async *read(threadId, after) {
        link.check();
        yield* log.read(threadId, after);
      },
      follow: (threadId, after, signal) => log.follow(threadId, { after, link }, signal),
      async head(threadId) {
        link.check();
        return log.head(threadId);
      },
    };
  }

  #queue(link: Link): Submissions {
    const { submissions } = this;
    return {
      put: async (threadId, submission) => {
        link.check();
        const key = `${threadId} ${submission.id}`;
        const before = this.#submitted.get(key);
        if (before !== undefined) return { position: before, isNew: false };
        const position = submissions.append(threadId, submission);
        this.#submitted.set(key, position);
        return { position, isNew: true };
      },
      follow: (threadId, after, signal) => submissions.follow(threadId, { after, link }, signal),
      async head(threadId) {
        link.check();
        return submissions.head(threadId);
      },
      async recent(mark) {
        link.check();
        return { mark: submissions.last, threads: submissions.heads(mark) };
      },
    };
  }

  #live(link: Link): Broker["live"] {
    return {
      publish: (threadId, event) => {
        const listeners = this.#listeners.get(threadId);
        if (link.isCut || listeners === undefined) return;
        const json = JSON.stringify(event);
        for (const listener of listeners) queueMicrotask(() => listener(json));
      },
      subscribe: (threadId, onEvent) => {
        const listener = (json: string) => {
          if (listeners.has(listener) && !link.isCut) onEvent(JSON.parse(json));
        };
        const listeners = this.#listeners.get(threadId) ?? new Set();
        this.#listeners.set(threadId, listeners.add(listener));
        const end = () => {
          listeners.delete(listener);
          if (listeners.size === 0) this.#listeners.delete(threadId);
        };
        link.closed.addEventListener("abort", end);
        return () => {
          link.closed.removeEventListener("abort", end);
          end();
        };
      },
    };
  }

  #answering(link: Link): Broker["answers"] {
    return {
      answer: async (threadId, answer) => {
        link.check();
        const key = `${threadId} ${answer.question}`;
        if (this.#answered.has(key)) return false;
        this.#answered.add(key);
        this.#answers.append(threadId, answer);
        return true;
      },
      follow: async (threadId, onAnswer, signal) => {
        link.check();
        let after = 0;
        const call = ({ position, ...answer }: Answer & { position: number }) => {
          after = position;
          onAnswer(answer);
        };
        for (const answer of this.#answers.read(threadId, 0)) call(answer);
        const later = this.#answers.follow(threadId, { after, link }, signal);
        void (async () => {
          for await (const answer of later) call(answer);
        })();
      },
    };
  }

  #listing(link: Link): Broker["directory"] {
    const parse = (json: string) => JSON.parse(json) as DirectoryEntry;
    return {
      put: async (entry) => {
        link.check();
        this.#directory.set(entry.threadId, JSON.stringify(entry));
      },
      get: async (threadId) => {
        link.check();
        const json = this.#directory.get(threadId);
        return json === undefined ? undefined : parse(json);
      },
      list: async () => {
        link.check();
        return [...this.#directory.values()].map(parse);
      },
    };
  }
}
