import { readFileSync, statSync } from "node:fs";
import { findRollout, type RolloutFile, walkRollouts } from "./files.js";

/** Tokens that a thread used with one model on one day, local time. */
export interface UsageRecord {
  threadId: string;
  /** Working directory of the thread. */
  project: string;
  /** `YYYY-MM-DD`. */
  day: string;
  model: string;
  /** Turn, if they are read by turn. */
  turn?: string;
  responses: number;
  input: number;
  cachedInput: number;
  output: number;
  reasoning: number;
}

/** Options of `readUsage`. */
export interface UsageOptions {
  /** Reads this thread only. */
  threadId?: string | undefined;
  /** Separates the turns. */
  byTurn?: boolean;
}

/**
 * Reads the token usage of all recorded threads of a home from their rollouts.
 *
 * Only lines with counts and settings are parsed. Copied lines of forks count for their source.
 */
export async function readUsage(home: string, options: UsageOptions = {}): Promise<UsageRecord[]> {
  const { threadId, byTurn = false } = options;
  if (threadId !== undefined) {
    const path =
      (await findRollout(home, threadId)) ??
      (await findRollout(home, threadId, { archived: true }));
    return path === undefined ? [] : readFileUsage(path, threadId.toLowerCase(), byTurn);
  }
  const records: UsageRecord[] = [];
  for await (const { id, path } of readUsageFiles(home)) {
    records.push(...readFileUsage(path, id, byTurn));
  }
  return records;
}

/** Yields the rollouts of a home that were written at or after a time in milliseconds since 1970. */
export async function* readUsageFiles(home: string, since = 0): AsyncGenerator<RolloutFile> {
  for (const archived of [false, true]) {
    for await (const file of walkRollouts(home, archived)) {
      if (since === 0 || modifiedAt(file.path) >= since) yield file;
    }
  }
}

/** Reads the number of turns in a rollout that started at or after a time, and the seconds they took. */
export function readFileTurns(path: string, since = ""): { turns: number; seconds: number } {
  let turns = 0;
  let ms = 0;
  let startedAt: number | undefined;
  for (const { type, timestamp = "", payload } of interestingLines(bytesOf(path), turnMarks)) {
    if (type !== "event_msg" || timestamp < since) continue;
    if (payload?.type === "task_started") {
      turns++;
      startedAt = Date.parse(timestamp);
    } else if (startedAt !== undefined && isEnd(payload?.type)) {
      ms += Math.max(0, Date.parse(timestamp) - startedAt);
      startedAt = undefined;
    }
  }
  return { turns, seconds: ms / 1000 };
}

function isEnd(type: string | undefined): boolean {
  return type === "task_complete" || type === "turn_aborted";
}

/** Reads the usage of one rollout; a file that cannot be read has none. */
export function readFileUsage(path: string, threadId: string, byTurn = false): UsageRecord[] {
  const file = new FileUsage(threadId);
  const marks = byTurn ? [...usageMarks, turnStart] : usageMarks;
  for (const line of interestingLines(bytesOf(path), marks)) file.add(line);
  return file.records;
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const usageMarks = ['"token_count"', '"turn_context"'].map((text) => Buffer.from(text));
const turnStart = Buffer.from('"task_started"');
const turnMarks = [
  turnStart,
  ...['"task_complete"', '"turn_aborted"'].map((text) => Buffer.from(text)),
];

/** Yields the first line, and the lines that contain one of the marks. */
function* interestingLines(bytes: Buffer, marks: readonly Buffer[]): Generator<Line> {
  const first = lineAt(bytes, 0);
  if (first === undefined) return;
  yield* parsed(bytes, first.start, first.end);
  const next = marks.map((mark) => bytes.indexOf(mark, first.end));
  for (;;) {
    const found = next.filter((at) => at >= 0);
    if (found.length === 0) return;
    const { start, end } = lineAt(bytes, Math.min(...found)) ?? { start: 0, end: bytes.length };
    yield* parsed(bytes, start, end);
    for (const [index, at] of next.entries()) {
      if (at >= 0 && at < end) next[index] = bytes.indexOf(marks[index] ?? "", end);
    }
  }
}

/** A line of a rollout, as far as the usage needs it. */
interface Line {
  timestamp?: string;
  type?: string;
  payload?: {
    type?: string;
    turn_id?: string;
    cwd?: string;
    timestamp?: string;
    model?: string;
    forked_from_id?: unknown;
    history_base?: unknown;
    info?: { total_token_usage?: Tokens; last_token_usage?: Tokens } | null;
    side_usage?: { model?: string; usage?: Tokens };
  };
}

interface Tokens {
  input_tokens?: number;
  cached_input_tokens?: number;
  output_tokens?: number;
  reasoning_output_tokens?: number;
}

function lineAt(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  if (at >= bytes.length) return undefined;
  const start = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at) + 1;
  const newline = bytes.indexOf(0x0a, at);
  return { start, end: newline < 0 ? bytes.length : newline };
}

function* parsed(bytes: Buffer, start: number, end: number): Generator<Line> {
  try {
    yield JSON.parse(bytes.toString("utf8", start, end)) as Line;
  } catch {
    // A truncated line has no usage.
  }
}

class FileUsage {
  readonly #threadId: string;
  readonly #byKey = new Map<string, UsageRecord>();
  #project = "";
  #model = "unknown";
  #turn: string | undefined;
  #startedAt = "";
  #isCopy = false;
  #total: Tokens | undefined;

  constructor(threadId: string) {
    this.#threadId = threadId;
  }

  get records(): UsageRecord[] {
    return [...this.#byKey.values()];
  }

  add({ type, timestamp = "", payload }: Line): void {
    if (payload === undefined || payload === null) return;
    if (type === "session_meta" && this.#startedAt === "") {
      this.#startedAt = payload.timestamp ?? timestamp;
      this.#project = payload.cwd ?? "";
      this.#isCopy = payload.forked_from_id != null || payload.history_base != null;
    } else if (type === "turn_context") this.#model = payload.model ?? this.#model;
    else if (type === "event_msg" && payload.type === "task_started") {
      this.#turn = payload.turn_id;
    } else if (type === "event_msg" && payload.type === "token_count") {
      const { info, side_usage: side } = payload;
      if (side?.usage === undefined) this.#count(info ?? {}, timestamp);
      else this.#add(read(side.usage), timestamp, side.model);
    }
  }

  #count(
    {
      total_token_usage: total,
      last_token_usage: last,
    }: NonNullable<NonNullable<Line["payload"]>["info"]>,
    timestamp: string,
  ): void {
    if (total === undefined) return;
    const before = this.#total;
    this.#total = total;
    // The count of a copy continues that of its source.
    const isFirstOfCopy = this.#isCopy && before === undefined;
    this.#add(isFirstOfCopy ? read(last ?? total) : since(read(total), before), timestamp);
  }

  /** Adds tokens, unless the line is a copied one. */
  #add(used: Counted, timestamp: string, model = this.#model): void {
    if (this.#isCopy && timestamp < this.#startedAt) return;
    if (used.input + used.output === 0) return;
    const record = this.#record(localDay(timestamp), model);
    record.responses++;
    record.input += used.input;
    record.cachedInput += used.cachedInput;
    record.output += used.output;
    record.reasoning += used.reasoning;
  }

  #record(day: string, model: string): UsageRecord {
    const key = `${day} ${model} ${this.#turn ?? ""}`;
    const found = this.#byKey.get(key);
    if (found !== undefined) return found;
    const turn = this.#turn === undefined ? {} : { turn: this.#turn };
    const place = { threadId: this.#threadId, project: this.#project, day, model, ...turn };
    const record = { ...place, responses: 0, input: 0, cachedInput: 0, output: 0, reasoning: 0 };
    this.#byKey.set(key, record);
    return record;
  }
}

type Counted = Pick<UsageRecord, "input" | "cachedInput" | "output" | "reasoning">;

function read(tokens: Tokens): Counted {
  return {
    input: tokens.input_tokens ?? 0,
    cachedInput: tokens.cached_input_tokens ?? 0,
    output: tokens.output_tokens ?? 0,
    reasoning: tokens.reasoning_output_tokens ?? 0,
  };
}

/** Returns the tokens after a count; a lower count has started again from zero. */
function since(total: Counted, before: Tokens | undefined): Counted {
  const old = read(before ?? {});
  if (total.input < old.input || total.output < old.output) return total;
  return {
    input: total.input - old.input,
    cachedInput: Math.max(0, total.cachedInput - old.cachedInput),
    output: total.output - old.output,
    reasoning: Math.max(0, total.reasoning - old.reasoning),
  };
}

const days = new Map<string, string>();

/** Returns the day of a time in RFC 3339 format, local time. */
function localDay(timestamp: string): string {
  const minute = timestamp.slice(0, 16);
  const found = days.get(minute);
  if (found !== undefined) return found;
  const time = new Date(timestamp);
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const isValid = !Number.isNaN(parts[0]);
  const day = isValid ? parts.map((part) => String(part).padStart(2, "0")).join("-") : "unknown";
  if (days.size > 10_000) days.clear();
  days.set(minute, day);
  return day;
}
