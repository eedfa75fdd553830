import { HeadTailBuffer } from "../lib/head-tail-buffer.js";
import { boundaryAfter, boundaryBefore } from "../lib/text.js";
import type { ExecOutputStream } from "../protocol/types.js";

/** Limits for captured output, and the order in which both streams are merged. */
export interface CaptureOptions {
  /** Each stream is captured completely up to this size. */
  keepBytes: number;
  /** Both together: in the order of arrival, or standard output before standard error. */
  aggregate: "arrival" | "streams";
  /** Part to retain beyond the limit: the first and last half, or the start. */
  past: "halves" | "beginnings";
}

/** Output of a command as text. */
export interface CapturedText {
  stdout: string;
  stderr: string;
  aggregated: string;
}

/**
 * Captures outputs of any reasonable size completely. The end event contains them twice, and each
 * byte is buffered several times until it is written.
 */
export function usualCapture(aggregate: CaptureOptions["aggregate"] = "arrival"): CaptureOptions {
  return { keepBytes: 8 * 1024 * 1024, aggregate, past: "halves" };
}

/**
 * The limits of later versions of the reference, which may lose the end of an output. No era uses
 * them; they are here for the suites that record the reference.
 */
export const shortCapture: CaptureOptions = {
  keepBytes: 1024 * 1024,
  aggregate: "streams",
  past: "beginnings",
};

/** Captures the output of a command within fixed bounds. */
export class OutputCapture {
  readonly #options: CaptureOptions;
  readonly #streams: Record<ExecOutputStream, HeadTailBuffer>;
  readonly #both: HeadTailBuffer | undefined;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#streams = { stdout: this.#buffer(), stderr: this.#buffer() };
    this.#both = options.aggregate === "arrival" ? this.#buffer() : undefined;
  }

  push(stream: ExecOutputStream, chunk: Uint8Array): void {
    this.#streams[stream].push(chunk);
    this.#both?.push(chunk);
  }

  text(): CapturedText {
    const { stdout, stderr } = this.#streams;
    if (this.#options.past === "halves") {
      const both = this.#both ?? this.#joined();
      return { stdout: toText(stdout), stderr: toText(stderr), aggregated: toText(both) };
    }
    const both = aggregateOutput(stdout.bytes(), stderr.bytes(), this.#options.keepBytes);
    return {
      stdout: stdout.bytes().toString("utf8"),
      stderr: stderr.bytes().toString("utf8"),
      aggregated: both.toString("utf8"),
    };
  }

  /** One stream after the other; each has its beginning and its end, and so has the whole. */
  #joined(): HeadTailBuffer {
    const both = this.#buffer();
    for (const stream of Object.values(this.#streams)) {
      both.push(stream.head());
      both.skip(stream.omitted);
      both.push(stream.tail());
    }
    return both;
  }

  #buffer(): HeadTailBuffer {
    const { keepBytes, past } = this.#options;
    return past === "halves" ? HeadTailBuffer.halves(keepBytes) : new HeadTailBuffer(keepBytes, 0);
  }
}

/**
 * Joins standard output and standard error in at most `limit` bytes: a third is reserved for
 * standard output, the rest for standard error, and unused space goes to the other.
 */
export function aggregateOutput(stdout: Buffer, stderr: Buffer, limit: number): Buffer {
  const reserved = Math.min(stdout.length, Math.floor(limit / 3));
  const fromStderr = Math.min(stderr.length, limit - reserved);
  const fromStdout = Math.min(stdout.length, limit - fromStderr);
  return Buffer.concat([stdout.subarray(0, fromStdout), stderr.subarray(0, fromStderr)]);
}

/** Decodes a buffer without splitting a character, and marks a gap with its size. */
function toText(buffer: HeadTailBuffer): string {
  if (buffer.omitted === 0) return buffer.bytes().toString("utf8");
  const head = buffer.head();
  const tail = buffer.tail();
  const headEnd = boundaryBefore(head, endOfWhole(head));
  const tailStart = boundaryAfter(tail, 0);
  const omitted = buffer.omitted + (head.length - headEnd) + tailStart;
  return `${head.toString("utf8", 0, headEnd)}\n[... ${omitted} bytes omitted ...]\n${tail.toString("utf8", tailStart)}`;
}

/** Returns the end of the last complete character. */
function endOfWhole(bytes: Buffer): number {
  const last = boundaryBefore(bytes, bytes.length - 1);
  const first = bytes[last] ?? 0;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return last + length > bytes.length ? last : bytes.length;
}
