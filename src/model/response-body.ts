import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { longestTimerMs } from "../lib/clock.js";
import type { ModelAnswer } from "./transport.js";

/**
 * Yields the text of a byte stream in the pieces it arrives in.
 *
 * Characters split by the network stay whole. Buffers no more than the stream does.
 */
export class BodyText {
  #stream: Readable;
  #wake: (() => void) | undefined;
  #isWhole: () => boolean;
  #error: Error | undefined;
  #ended = false;

  /** `isWhole` is called at the end of the stream: false if the body is incomplete. */
  constructor(stream: Readable, isWhole: () => boolean) {
    this.#isWhole = isWhole;
    this.#stream = stream.setEncoding("utf8");
    stream.on("readable", this.#onReadable);
    stream.on("end", () => {
      this.#ended = this.#isWhole();
      this.#wake?.();
    });
    stream.on("error", (error: Error) => this.#fail(error));
    stream.on("close", () => this.#fail(new Error("the connection was closed")));
  }

  /** Returns the next piece, or `undefined` at the end. One call at a time. */
  async next(): Promise<string | undefined> {
    for (;;) {
      // Data received before the connection was lost is still valid.
      const piece: string | null = this.#stream.read();
      if (piece !== null) return piece;
      if (this.#ended) return undefined;
      if (this.#error !== undefined) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Discards the rest of the stream. */
  letPass(): void {
    this.#stream.off("readable", this.#onReadable);
    this.#stream.resume();
  }

  #onReadable = (): void => this.#wake?.();

  #fail(error: Error): void {
    this.#error ??= error;
    this.#wake?.();
  }
}

/** Returns the body of a response without its content encoding. */
export async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return incoming;
  const decoder = await createDecoder(encoding);
  if (incoming.destroyed) decoder.end();
  // Data received before the connection was lost is still valid, so the decoder finishes.
  incoming.once("close", () => decoder.end());
  return incoming.pipe(decoder);
}

async function createDecoder(encoding: string): Promise<Transform> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import(
    "node:zlib"
  );
  // Events must be decoded as they arrive, not when the decoder has buffered enough.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(flush);
    case "deflate":
      return createInflate(flush);
    case "br":
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new Error(`unsupported content encoding: ${encoding}`);
  }
}

/** Longest error body that is read. */
const longestBody = 64 * 1024;

/** Reads the body of an error response; afterwards the connection is free. */
export async function readErrorBody(answer: ModelAnswer): Promise<string> {
  let body = "";
  try {
    for (let text = await answer.next(); text !== undefined; text = await answer.next()) {
      body += text;
      if (body.length > longestBody) {
        answer.close();
        return body.slice(0, longestBody);
      }
    }
  } catch {
    // The status is sufficient if the body is truncated.
  }
  await answer.drain();
  return body;
}

/**
 * Supervises one request: its signal aborts when the caller's does, or after a period without
 * activity. Must be ended.
 */
export class IdleGuard {
  #controller = new AbortController();
  #caller: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  #timedOut = false;

  constructor(limitMs: number, caller: AbortSignal) {
    this.#caller = caller;
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener("abort", this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#onTimer(), Math.min(limitMs, longestTimerMs));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if the signal aborted because of inactivity. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** Records activity: restarts the timeout. */
  touch(): void {
    this.#paused = false;
    this.#timer?.refresh();
  }

  /** Suspends the timeout until the next `touch`, while the stream is not being read. */
  pause(): void {
    this.#paused = true;
  }

  /** Throws the caller's reason if the caller aborted. */
  throwIfCancelled(): void {
    this.#caller.throwIfAborted();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#caller.removeEventListener("abort", this.#onAbort);
  }

  #onTimer(): void {
    if (this.#paused) {
      this.#timer?.refresh();
      return;
    }
    this.#timedOut = true;
    this.#controller.abort(new Error("timed out: no data received"));
  }

  #onAbort = (): void => {
    this.#controller.abort(this.#caller.reason);
  };
}
