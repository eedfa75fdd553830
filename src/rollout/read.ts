import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { CodexError } from "../protocol/error.js";
import { parseRolloutLine } from "../protocol/read/index.js";
import type { RolloutLine } from "../protocol/types.js";
import { type FileLine, LineSplitter, openForReading, readAhead } from "./file-lines.js";
import type { Warnings } from "./warnings.js";

/** Position of a line: its number from 1, and its offsets. */
export type LinePosition = Omit<FileLine, "bytes">;

/** Receives the lines of a rollout. */
export interface RolloutVisitor {
  line(line: RolloutLine, position: LinePosition): void;
  /** Skips response items, which are most lines, without parsing them. */
  skipsItems?: boolean;
  /** Receives lines of kinds that this version knows but does not use. */
  other?(kind: string, payload: unknown, position: LinePosition): void;
  /** Awaited between chunks, for visitors that write to a stream. */
  room?(): Promise<void>;
}

/** Options for reading a rollout. */
interface ReadOptions {
  warnings: Warnings;
  /** Offset to start from, which must be the start of a line; lines are numbered from there. */
  from?: number;
  /** Offset to stop at, which must be the start of a line. */
  until?: number;
  /** Longer lines are skipped. */
  maxLineBytes?: number;
}

/** Result of reading a rollout. */
interface ReadResult {
  /** Offset after the last complete line. */
  end: number;
  /** Number of lines that are not blank. */
  lines: number;
}

/**
 * Reads a rollout file line by line, without locking it.
 *
 * Lines that cannot be read are skipped and reported to `warnings`: a truncated last line, invalid
 * JSON, unknown kinds, lines over the limit. Throws only if the file itself cannot be read.
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
    if (bytes !== undefined && this.#visitor.skipsItems && isItem(bytes)) return;
    const problem =
      bytes === undefined
        ? `its ${end - start} bytes exceed the limit of ${this.#maxLineBytes} bytes`
        : this.#take(bytes, line);
    if (problem !== undefined) this.#warnings.add(`Line ${number} was skipped: ${problem}.`);
  }

  /**
   * A last line without a newline is complete if it is valid JSON; otherwise the write was cut off.
   */
  #visitRest(line: FileLine): boolean {
    const { bytes, number, start, end } = line;
    if (bytes !== undefined && isBlank(bytes)) return false;
    this.#lines++;
    if (bytes !== undefined && this.#take(bytes, line) === undefined) return true;
    this.#warnings.add(
      `The last line (${number}) is truncated after ${end - start} bytes and was skipped: the ` +
        "program exited, or the disk was full, while it was written.",
    );
    return false;
  }

  /** Passes a line to the visitor; returns the reason if it cannot be read. */
  #take(bytes: Buffer, position: FileLine): string | undefined {
    if (!isUtf8(bytes)) return "it is not UTF-8 text";
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString("utf8"));
    } catch {
      return bytes.includes(0) ? "it contains NUL bytes" : "it is not JSON";
    }
    let line: RolloutLine;
    try {
      line = parseRolloutLine(value);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      if (error.code !== "unsupported") return error.message.replace(/\.$/, "");
      this.#takeOther(value, position);
      return undefined;
    }
    this.#visitor.line(line, position);
    return undefined;
  }

  #takeOther(value: unknown, position: FileLine): void {
    const { type, payload } = value as { type?: unknown; payload?: unknown };
    if (typeof type === "string" && laterKinds.has(type)) {
      this.#visitor.other?.(type, payload, position);
    } else {
      this.#warnings.count(`Lines of unknown kind ${JSON.stringify(type)} were skipped`);
    }
  }
}

/** Kinds that newer versions write beside the conversation, which is complete without them. */
const laterKinds: ReadonlySet<string> = new Set([
  "world_state",
  "token_usage_record",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "security_risk_score",
]);

/** Recognizes a response item by its first bytes, as every known writer formats it. */
function isItem(bytes: Buffer): boolean {
  return itemLine.test(bytes.toString("latin1", 0, 96));
}

const itemLine = /^\{"timestamp":"[^"\\]{1,40}",(?:"ordinal":\d+,)?"type":"response_item",/;

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}
