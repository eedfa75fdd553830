import { CodexError } from "../protocol/error.js";
import type { Event, Op, RolloutLine, Submission } from "../protocol/types.js";

/**
 * The store in which the threads of a fleet live: workers, gateways and commands share nothing else.
 *
 * A call fails with `UnreachableError` if the broker does not answer in time; loops that follow something wait until it is
 * back. `close` ends all of them.
 *
 * There is one for a single process (`memory:`), one for the processes of a host (`file:`), and one for
 * many machines (`nats:`). All follow the contract in `test/fleet/broker-contract.ts`.
 */
export interface Broker {
  readonly log: ThreadLog;
  readonly submissions: Submissions;
  readonly wakes: Wakes;
  readonly leases: Leases;
  readonly live: Live;
  readonly answers: Answers;
  readonly directory: Directory;
  readonly marks: Marks;
  readonly workers: Workers;
  readonly blobs: Blobs;
  /**
   * Deletes everything that is stored of a thread, except its lease and its mark. Safe to repeat.
   *
   * The caller holds the lease, so that no worker adds something meanwhile.
   */
  forget(threadId: string): Promise<void>;
  /** Measures the broker, for diagnosis. */
  inspect(): Promise<BrokerFacts>;
  close(): Promise<void>;
}

/** State of a broker. */
export interface BrokerFacts {
  /** Program and version. */
  server: string;
  roundTripMs: number;
  stores: { name: string; messages: number; bytes: number }[];
  /** Number of messages that were skipped because they are not valid. */
  skipped: number;
}

/** One append to the log of a thread, by one owner. */
export interface LogBatch {
  /** The owner's lease; a later owner has a higher one. */
  epoch: number;
  worker: string;
  /** Positions of the submissions whose effect is part of the log with this batch. */
  applied: readonly number[];
  /** Lines of the rollout and events, in the one order in which the engine made them. */
  entries: readonly LogEntry[];
}

/** A line of the rollout file, or an event with its number in the thread's log. */
export type LogEntry = { line: RolloutLine } | LoggedEvent;

export interface LoggedEvent {
  seq: number;
  event: Event;
  /** Milliseconds since 1970, by the worker's clock: it is the same for the clients of all gateways. */
  atMs?: number;
}

/**
 * Distance between the numbers of two events.
 *
 * One event becomes up to so many notifications; each has a number of its own, which is the
 * same at every gateway.
 */
export const seqStep = 16;

/** Something stored, at its place in the order of its thread. Positions grow, and may have gaps. */
export type At<Value> = Value & { position: number };

/** The durable history of the threads. */
export interface ThreadLog {
  /**
   * Appends a batch and returns its position, once it is durable.
   *
   * Throws `FencedError` if the last position of the thread is not `expected`: somebody else has appended. After
   * a lost connection it finds out whether its own append was stored, and never stores it twice.
   */
  append(threadId: string, batch: LogBatch, expected: number): Promise<number>;
  /** Reads what is stored after a position, and ends. */
  read(threadId: string, after: number): AsyncIterable<At<LogBatch>>;
  /** Reads the same, and what is appended later, until the signal aborts. Survives a lost connection. */
  follow(threadId: string, after: number, signal: AbortSignal): AsyncIterable<At<LogBatch>>;
  /** Position of the last batch; 0 if there is none. */
  head(threadId: string): Promise<number>;
}

/** Another owner has appended to the log of a thread, or has taken its lease. */
export class FencedError extends Error {
  override name = "FencedError";
}

/**
 * The broker did not answer in time. The call may have had its effect or not; repeating it with the same values is safe.
 */
export class UnreachableError extends CodexError {
  constructor(message: string) {
    super("connection", message);
  }
}

/** A submission of a client, with the headers of its trace. */
export interface SentSubmission extends Submission {
  /** Lines of the thread that a new one continues. */
  history?: readonly RolloutLine[];
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, by the sender's clock. */
  sentAtMs?: number;
}

/** The submission queues of the threads. They are kept, so that any worker can read them again. */
export interface Submissions {
  /** Adds a submission, once for each id; resolves when it is durable, also if it was there before. */
  put(threadId: string, submission: SentSubmission): Promise<{ position: number; isNew: boolean }>;
  /** Reads the submissions after a position, and later ones, until the signal aborts. */
  follow(threadId: string, after: number, signal: AbortSignal): AsyncIterable<At<SentSubmission>>;
  /** Position of the last submission; 0 if there is none. */
  head(threadId: string): Promise<number>;
  /**
   * Returns the threads with submissions after a mark, each with the position of its last one, and the mark of now.
   *
   * The mark 0 stands for the last few thousand submissions. A thread may be in two successive answers.
   */
  recent(mark: number): Promise<{ mark: number; threads: ReadonlyMap<string, number> }>;
}

/** Tells the workers of a pool that a thread has something to do. */
export interface Wakes {
  /** Repeated wake-ups of one thread become one, as long as no worker has taken it. */
  wake(pool: string, threadId: string): Promise<void>;
  /** Takes the next wake-up for this worker; each goes to one worker. Undefined when the signal aborts. */
  next(pool: string, signal: AbortSignal): Promise<WakeUp | undefined>;
  /** Counts the wake-ups that no worker has taken. */
  pending(pool: string): Promise<number>;
}

export interface WakeUp {
  threadId: string;
  /** Removes it: the thread has an owner who reads the submissions. A wake-up that came after it was taken stays. */
  done(): Promise<void>;
  /** Gives it back, to be taken by any worker after a while. */
  later(ms: number): Promise<void>;
}

/** Ownership of threads, limited in time. At most one worker holds the lease of a thread. */
export interface Leases {
  /**
   * Takes the lease if nobody holds it: it was never held, was released, or was not renewed for its duration as seen
   * by this process. (The duration is that of the holder; clocks of machines are never compared.)
   */
  take(threadId: string, holder: LeaseHolder): Promise<Lease | undefined>;
  /** Reads the lease of a thread as it is stored. */
  read(threadId: string): Promise<LeaseRecord | undefined>;
  /** Lists the leases that are held. */
  list(): Promise<LeaseRecord[]>;
  /**
   * Calls back for each lease of a pool that is not renewed in time, until the signal aborts; again after each further
   * duration in which no worker takes it. Any worker may take it, so several are notified. Resolves when it watches.
   */
  watchLost(pool: string, onLost: (lost: LeaseRecord) => void, signal: AbortSignal): Promise<void>;
  /** Returns true if this process has seen a lease that ended, and no worker that has taken it since. */
  isLost(threadId: string): boolean;
}

export interface LeaseHolder {
  worker: string;
  pool: string;
  /** The lease ends if it is not renewed for so long. */
  durationMs: number;
}

export interface LeaseRecord extends LeaseHolder {
  threadId: string;
  epoch: number;
  /** `closing`: the holder is about to release it, and looks for submissions one last time. */
  state: "held" | "closing";
}

export interface Lease {
  readonly threadId: string;
  /** Higher than that of any lease of the thread before, unless the broker has lost its count. */
  readonly epoch: number;
  /** Raises the epoch, which the next renewal stores. */
  raise(epoch: number): void;
  /** Renews it, or changes its state; false if another worker has taken it. Throws if the broker cannot be reached. */
  renew(state?: LeaseRecord["state"]): Promise<boolean>;
  /** Gives it up, if it is still held. */
  release(): Promise<void>;
}

/** Text deltas and other events that are not stored, for the clients that are there. */
export interface Live {
  /** Never waits and never throws. */
  publish(threadId: string, event: Event): void;
  /** Calls back for each event until the returned function is called. */
  subscribe(threadId: string, onEvent: (event: Event) => void): () => void;
}

/** An answer to a question of a thread, and who gave it. */
export interface Answer {
  /** Identifies the question in its thread. */
  question: string;
  /** The op that answers it. */
  op: Op;
  /** Name of the client, and of the gateway that it is connected to. */
  client: string;
  gateway: string;
  /** Milliseconds since 1970, by the gateway's clock. */
  answeredAtMs: number;
}

/** Answers to questions. They outlive the worker that asked and the gateway that showed the question. */
export interface Answers {
  /** Stores an answer if it is the first one to its question; false if there is another. */
  answer(threadId: string, answer: Answer): Promise<boolean>;
  /**
   * Calls back for each stored answer, and each that comes, until the signal aborts. Resolves after the callbacks for
   * the stored ones.
   */
  follow(threadId: string, onAnswer: (answer: Answer) => void, signal: AbortSignal): Promise<void>;
}

/** One thread in the list of threads, as its worker last described it. */
export interface DirectoryEntry {
  threadId: string;
  pool: string;
  /** The beginning of its rollout, up to the first message of the user: what a list shows. */
  head: readonly RolloutLine[];
  createdAtMs: number;
  updatedAtMs: number;
  state: "running" | "waiting" | "idle";
  /** The worker that wrote this entry, and its lease. */
  worker: string;
  epoch: number;
  /** The name that a client gave it. */
  name?: string;
  /** Tokens that its turns have used, if known. */
  tokens?: number;
  /** Position of the last submission that is done, with all before it. */
  readTo?: number;
}

/** All threads of the fleet. */
export interface Directory {
  put(entry: DirectoryEntry): Promise<void>;
  get(threadId: string): Promise<DirectoryEntry | undefined>;
  /** Lists all threads as they are now. */
  list(): Promise<DirectoryEntry[]>;
}

/** Something that a client, or the age of a thread, has decided about it. */
export interface ThreadMark {
  threadId: string;
  /** `deleted`: clients no longer see it, and the next worker that can deletes what is stored. */
  kind: "archived" | "deleted";
  /** Milliseconds since 1970, by the clock of the writer. */
  atMs: number;
}

export type OnMark = (threadId: string, mark: ThreadMark | undefined) => void;

/** The threads that are archived or deleted. */
export interface Marks {
  put(mark: ThreadMark): Promise<void>;
  remove(threadId: string): Promise<void>;
  list(): Promise<ThreadMark[]>;
  /** Calls back for each mark and each change until the signal aborts; resolves after the marks that are there. */
  watch(onChange: OnMark, signal: AbortSignal): Promise<void>;
}

export interface WorkerInfo {
  name: string;
  pool: string;
  threads: number;
  draining: boolean;
}

/** Interval at which a worker repeats its announcement. */
export const announceEveryMs = 2_000;

/** Age at which the announcement of a worker ends. */
export const announcementEndsMs = 4 * announceEveryMs;

/** The workers that are there. */
export interface Workers {
  /** Announces a worker. An entry that is not repeated every `announceEveryMs`, and at each change, ends after a while. */
  announce(worker: WorkerInfo): Promise<void>;
  leave(name: string): Promise<void>;
  list(): Promise<WorkerInfo[]>;
  /** Asks a worker to drain; resolves when it has acknowledged. Throws if there is no such worker. */
  drain(name: string): Promise<void>;
  /** Calls back when the worker is asked to drain, until the signal aborts. Resolves when it can be asked. */
  onDrain(name: string, callback: () => void, signal: AbortSignal): Promise<void>;
}

/** Values that are too large for a message. */
export interface Blobs {
  put(name: string, value: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
}
