import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { CodexError } from "../protocol/error.js";
import { parseRolloutLine } from "../protocol/read/index.js";
import type { RolloutLine } from "../protocol/types.js";
import { type FileLine, LineSplitter, openForReading, readAhead } from "./file-lines.js";

/** Where a line of a rollout lies: its number from 1, and its bytes. */
export type LinePlace = Omit<FileLine, "bytes">;

/** Who is told what a rollout holds. */
export interface RolloutVisitor {
  line(line: RolloutLine, place: LinePlace): void;
  /** Has no use for what the model was sent and has said: such lines are not parsed, and most are such. */
  passesItems?: boolean;
  /** A line of a kind that this version has no use for, but others know. */
  other?(kind: string, payload: unknown, place: LinePlace): void;
  /** Waited for now and then, by visitors that write elsewhere what they are told. */
  room?(): Promise<void>;
}

/** How a rollout is read. */
interface ReadOptions {
  warnings: Warnings;
  /** Reads from this byte on, which must be the beginning of a line; lines are counted from there. */
  from?: number;
  /** Reads only what lies before this byte, which must be the beginning of a line. */
  until?: number;
  /** Longer lines are passed over. */
  maxLineBytes?: number;
}

/** What was read. */
interface ReadResult {
  /** Behind the last whole line. */
  end: number;
  /** How many lines were not blank. */
  lines: number;
}

/**
 * Reads a rollout file line by line, without locking it.
 *
 * What cannot be read of it is left out and told to `warnings` with its line: a torn last line,
 * text that is not JSON, kinds nobody knows, lines too long to hold. Throws only when the file itself
 * cannot be read.
 */
export async function readRollout(
  path: string,
  visitor: RolloutVisitor,
  options: ReadOptions,
): Promise<ReadResult> {
  const file = await openForReading(path);
  try {
    return await new RolloutReader(visitor, options).read(file);
  } finally {
    await file.close();
  }
}

const longestLine = 64 * 1024 * 1024;

class RolloutReader {
  readonly #visitor: RolloutVisitor;
  readonly #warnings: Warnings;
  readonly #from: number;
  readonly #until: number;
  readonly #splitter: LineSplitter;
  readonly #maxLineBytes: number;
  #lines = 0;

  constructor(visitor: RolloutVisitor, options: ReadOptions) {
    this.#visitor = visitor;
    this.#warnings = options.warnings;
    this.#from = options.from ?? 0;
    this.#until = options.until ?? Number.POSITIVE_INFINITY;
    this.#maxLineBytes = options.maxLineBytes ?? longestLine;
    this.#splitter = new LineSplitter(this.#maxLineBytes, this.#from);
  }

  async read(file: FileHandle): Promise<ReadResult> {
    const visit = (line: FileLine) => this.#visit(line);
    for await (const chunk of readAhead(file, this.#from, this.#until)) {
      this.#splitter.push(chunk, visit);
      await this.#visitor.room?.();
    }
    const end = this.#splitter.start;
    const rest = this.#splitter.rest();
    const isWhole = rest !== undefined && this.#visitRest(rest);
    return { end: isWhole ? rest.end : end, lines: this.#lines };
  }

  #visit(line: FileLine): void {
    const { bytes, number, start, end } = line;
    if (bytes !== undefined && isBlank(bytes)) return;
    this.#lines++;
    if (bytes !== undefined && this.#visitor.passesItems && isItem(bytes)) return;
    const problem =
      bytes === undefined
        ? `its ${end - start} bytes are more than the ${this.#maxLineBytes} that are held at once`
        : this.#take(bytes, line);
    if (problem !== undefined) this.#warnings.add(`Line ${number} is left out: ${problem}.`);
  }

  /** A last line without its line end is whole when it is JSON, else it was cut while written. */
  #visitRest(line: FileLine): boolean {
    const { bytes, number, start, end } = line;
    if (bytes !== undefined && isBlank(bytes)) return false;
    this.#lines++;
    if (bytes !== undefined && this.#take(bytes, line) === undefined) return true;
    this.#warnings.add(
      `The last line (${number}) breaks off after ${end - start} bytes and is left out: the ` +
        "program ended, or the disk was full, while it was written.",
    );
    return false;
  }

  /** Hands the line on; returns why it cannot be read, if it cannot. */
  #take(bytes: Buffer, place: FileLine): string | undefined {
    if (!isUtf8(bytes)) return "it is not UTF-8 text";
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString("utf8"));
    } catch {
      return bytes.includes(0) ? "it holds NUL bytes" : "it is not JSON";
    }
    let line: RolloutLine;
    try {
      line = parseRolloutLine(value);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      if (error.code !== "unsupported") return error.message.replace(/\.$/, "");
      this.#takeOther(value, place);
      return undefined;
    }
    this.#visitor.line(line, place);
    return undefined;
  }

  #takeOther(value: unknown, place: FileLine): void {
    const { type, payload } = value as { type?: unknown; payload?: unknown };
    if (typeof type === "string" && laterKinds.has(type)) {
      this.#visitor.other?.(type, payload, place);
    } else {
      this.#warnings.count(`Lines of the unknown kind ${JSON.stringify(type)} are left out`);
    }
  }
}

/** Kinds that versions after ours write beside the conversation; it is whole without them. */
const laterKinds: ReadonlySet<string> = new Set([
  "world_state",
  "token_usage_record",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "security_risk_score",
]);

/** Whether a line says at its beginning that it is an item, as all do that programs have written. */
function isItem(bytes: Buffer): boolean {
  return itemLine.test(bytes.toString("latin1", 0, 96));
}

const itemLine = /^\{"timestamp":"[^"\\]{1,40}",(?:"ordinal":\d+,)?"type":"response_item",/;

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}

/** Collects what is wrong with a file, so that a file full of faults does not fill the memory. */
export class Warnings {
  #messages: string[] = [];
  #seen = new Map<string, number>();
  #more = 0;
  #limit: number;

  constructor(limit = 20) {
    this.#limit = limit;
  }

  add(message: string): void {
    if (this.#messages.length < this.#limit) this.#messages.push(message);
    else this.#more++;
  }

  /** Counts a fault that is told once, however often it occurs. */
  count(message: string): void {
    const count = this.#seen.get(message) ?? 0;
    if (count === 0 && this.#seen.size >= this.#limit) this.#more++;
    else this.#seen.set(message, count + 1);
  }

  /** All that is known, as sentences for the user. */
  list(): string[] {
    const counted = [...this.#seen].map(([message, count]) =>
      count === 1 ? `${message}.` : `${message} (${count} times).`,
    );
    const rest = this.#more === 0 ? [] : [`There are ${this.#more} more problems like these.`];
    return [...this.#messages, ...counted, ...rest];
  }
}
