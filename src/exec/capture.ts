import { HeadTailBuffer } from "../lib/head-tail-buffer.js";
import { boundaryAfter, boundaryBefore } from "../lib/truncate.js";
import type { ExecOutputStream } from "../protocol/types.js";

/** How much of an output is kept, and how the two streams become one. */
export interface CaptureOptions {
  /** Each stream is kept whole up to here. */
  keepBytes: number;
  /**
   * `arrival`: in the order of arrival; past the limit the first and the last half are kept.
   * `streams`: standard output, then standard error, within the limit; past it the beginnings.
   */
  aggregate: "arrival" | "streams";
}

/** What a command wrote, as text. */
export interface CapturedText {
  stdout: string;
  stderr: string;
  aggregated: string;
}

/**
 * Whole outputs of any reasonable size; what is longer is not read by anyone. The end of a command
 * tells them twice, and each byte is held several times until it has been written.
 */
export const usualCapture: CaptureOptions = { keepBytes: 8 * 1024 * 1024, aggregate: "arrival" };

/** Enough for every model; what a command says of a failure is not crowded out by its output. */
export const shortCapture: CaptureOptions = { keepBytes: 1024 * 1024, aggregate: "streams" };

/** Keeps what a command writes, within bounds however much it is. */
export class OutputCapture {
  readonly #options: CaptureOptions;
  readonly #streams: Record<ExecOutputStream, HeadTailBuffer>;
  readonly #both: HeadTailBuffer | undefined;

  constructor(options: CaptureOptions) {
    const { keepBytes, aggregate } = options;
    const buffer = () =>
      aggregate === "arrival" ? HeadTailBuffer.halves(keepBytes) : new HeadTailBuffer(keepBytes, 0);
    this.#options = options;
    this.#streams = { stdout: buffer(), stderr: buffer() };
    this.#both = aggregate === "arrival" ? buffer() : undefined;
  }

  push(stream: ExecOutputStream, chunk: Uint8Array): void {
    this.#streams[stream].push(chunk);
    this.#both?.push(chunk);
  }

  text(): CapturedText {
    const { stdout, stderr } = this.#streams;
    if (this.#both !== undefined) {
      return { stdout: toText(stdout), stderr: toText(stderr), aggregated: toText(this.#both) };
    }
    const both = aggregateOutput(stdout.bytes(), stderr.bytes(), this.#options.keepBytes);
    return {
      stdout: stdout.bytes().toString("utf8"),
      stderr: stderr.bytes().toString("utf8"),
      aggregated: both.toString("utf8"),
    };
  }
}

/**
 * Standard output, then standard error, in at most `limit` bytes: a third is for standard output, the
 * rest for standard error, and what one does not need the other gets.
 */
export function aggregateOutput(stdout: Buffer, stderr: Buffer, limit: number): Buffer {
  const reserved = Math.min(stdout.length, Math.floor(limit / 3));
  const fromStderr = Math.min(stderr.length, limit - reserved);
  const fromStdout = Math.min(stdout.length, limit - fromStderr);
  return Buffer.concat([stdout.subarray(0, fromStdout), stderr.subarray(0, fromStderr)]);
}

/** The text of a buffer; where bytes were left out it says how many, and cuts no character in two. */
function toText(buffer: HeadTailBuffer): string {
  if (buffer.omitted === 0) return buffer.bytes().toString("utf8");
  const head = buffer.head();
  const tail = buffer.tail();
  const headEnd = boundaryBefore(head, endOfWhole(head));
  const tailStart = boundaryAfter(tail, 0);
  const omitted = buffer.omitted + (head.length - headEnd) + tailStart;
  return `${head.toString("utf8", 0, headEnd)}\n[... ${omitted} bytes omitted ...]\n${tail.toString("utf8", tailStart)}`;
}

/** Where the last whole character ends. */
function endOfWhole(bytes: Buffer): number {
  const last = boundaryBefore(bytes, bytes.length - 1);
  const first = bytes[last] ?? 0;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return last + length > bytes.length ? last : bytes.length;
}
