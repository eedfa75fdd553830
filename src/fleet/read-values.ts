import { checkOp } from "../protocol/checks/sqeq.generated.js";
import { CodexError } from "../protocol/error.js";
import { parseEvent, parseOp, parseSubmission } from "../protocol/read/index.js";
import type { Event, Op, RolloutLine } from "../protocol/types.js";
import { isUuid } from "../rollout/index.js";
import type {
  Answer,
  DirectoryEntry,
  LogBatch,
  LogEntry,
  SentSubmission,
  ThreadMark,
} from "./broker.js";
import type { StoredLease } from "./leases.js";

// A broker brings what any of its users has sent. These functions throw for values that are not ours.

/** Reads a batch of a log. Events and lines of unknown types are accepted: a newer version may have written them. */
export function readBatch(value: unknown): LogBatch {
  const { epoch, worker, applied, entries } = record(value, "a batch of a log");
  return {
    epoch: count(epoch, "epoch"),
    worker: text(worker, "worker"),
    applied: list(applied, "applied").map((position) => count(position, "applied")),
    entries: list(entries, "entries").map(readEntry),
  };
}

function readEntry(value: unknown): LogEntry {
  const { line, seq, event, atMs } = record(value, "an entry of a log");
  if (line !== undefined) return { line: readLine(line) };
  parseEvent(event);
  const at = atMs === undefined ? {} : { atMs: count(atMs, "atMs") };
  return { seq: count(seq, "seq"), event: event as Event, ...at };
}

/** Checks the frame of a line; the reader of the rollout skips lines that it does not understand. */
function readLine(value: unknown): RolloutLine {
  const { timestamp, type } = record(value, "a line of a rollout");
  text(timestamp, "timestamp");
  text(type, "type");
  return value as RolloutLine;
}

/** Reads a submission with its headers. */
export function readSubmission(value: unknown): SentSubmission {
  const { trace } = parseSubmission(value);
  const { id, op, headers, history, sentAtMs } = record(value, "a submission");
  const submission = {
    id: text(id, "id"),
    op: readOp(op),
    ...(history === undefined ? {} : { history: list(history, "history").map(readLine) }),
    ...(trace === undefined ? {} : { trace }),
    ...(sentAtMs === undefined ? {} : { sentAtMs: count(sentAtMs, "sentAtMs") }),
  };
  if (headers === undefined) return submission;
  const pairs = Object.entries(record(headers, "headers"));
  return {
    ...submission,
    headers: Object.fromEntries(pairs.map(([name, given]) => [name, text(given, name)])),
  };
}

/** Reads an op in the spelling of this version, unchanged: in some fields `null` has a meaning. */
function readOp(value: unknown): Op {
  parseOp(value);
  if (checkOp(value)) return value as Op;
  throw invalid("an op", value);
}

/** Reads an answer to a question. */
export function readAnswer(value: unknown): Answer {
  const { question, op, client, gateway, answeredAtMs } = record(value, "an answer");
  return {
    question: text(question, "question"),
    op: readOp(op),
    client: text(client, "client"),
    gateway: text(gateway, "gateway"),
    answeredAtMs: count(answeredAtMs, "answeredAtMs"),
  };
}

/** Reads the entry of a thread in the directory. */
export function readDirectoryEntry(value: unknown): DirectoryEntry {
  const given = record(value, "an entry of the directory");
  return {
    threadId: threadIdOf(given.threadId),
    pool: text(given.pool, "pool"),
    worker: text(given.worker, "worker"),
    epoch: count(given.epoch, "epoch"),
    head: list(given.head, "head").map(readLine),
    createdAtMs: count(given.createdAtMs, "createdAtMs"),
    updatedAtMs: count(given.updatedAtMs, "updatedAtMs"),
    state: oneOf(given.state, ["running", "waiting", "idle"], "state"),
    ...(given.name === undefined ? {} : { name: text(given.name, "name") }),
    ...(given.tokens === undefined ? {} : { tokens: count(given.tokens, "tokens") }),
    ...(given.readTo === undefined ? {} : { readTo: count(given.readTo, "readTo") }),
  };
}

/** Reads a mark. */
export function readMark(value: unknown): ThreadMark {
  const { threadId, kind, atMs } = record(value, "a mark");
  return {
    threadId: threadIdOf(threadId),
    kind: oneOf(kind, ["archived", "deleted"], "kind"),
    atMs: count(atMs, "atMs"),
  };
}

/** Reads a lease. */
export function readLease(value: unknown): StoredLease {
  const given = record(value, "a lease");
  return {
    threadId: threadIdOf(given.threadId),
    worker: text(given.worker, "worker"),
    pool: text(given.pool, "pool"),
    durationMs: count(given.durationMs, "durationMs"),
    state: oneOf(given.state, ["held", "closing"], "state"),
    renewals: count(given.renewals, "renewals"),
    ...(given.epoch === undefined ? {} : { epoch: count(given.epoch, "epoch") }),
  };
}

/** Reads the announcement of a worker. */
export function readWorker(value: unknown) {
  const { name, pool, threads, draining } = record(value, "a worker");
  if (typeof draining !== "boolean") throw invalid("draining", draining);
  return {
    name: text(name, "name"),
    pool: text(pool, "pool"),
    threads: count(threads, "threads"),
    draining,
  };
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(what, value);
}

function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(what, value);
}

function text(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw invalid(what, value);
}

/** Reads the id of a thread. Workers name folders after it, so nothing else is accepted. */
function threadIdOf(value: unknown): string {
  if (typeof value === "string" && isUuid(value)) return value;
  throw invalid("threadId", value);
}

function count(value: unknown, what: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw invalid(what, value);
}

function oneOf<Choice extends string>(value: unknown, choices: Choice[], what: string): Choice {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw invalid(what, value);
}

function invalid(what: string, value: unknown): CodexError {
  const got = (JSON.stringify(value) ?? "nothing").slice(0, 80);
  return new CodexError("invalid_request", `Not valid as ${what}: ${got}`);
}
