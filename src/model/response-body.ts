import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import type { ModelAnswer } from "./transport.js";

/**
 * Hands out the text of a byte stream in the pieces it came in.
 *
 * A character cut in two by the network stays whole. At most what the stream buffers is held.
 */
export class BodyText {
  #stream: Readable;
  #wake: (() => void) | undefined;
  #isWhole: () => boolean;
  #error: Error | undefined;
  #ended = false;

  /** `isWhole` tells, at the end of the stream, whether it is the end of what was sent. */
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

  /** Nothing at the end. One call at a time. */
  async next(): Promise<string | undefined> {
    for (;;) {
      // What came before the connection was lost is still good.
      const piece: string | null = this.#stream.read();
      if (piece !== null) return piece;
      if (this.#ended) return undefined;
      if (this.#error !== undefined) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What is still to come goes by unread. */
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

/** The body of an answer without the compression that some servers and proxies put on it. */
export async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return incoming;
  const decoder = await createDecoder(encoding);
  if (incoming.destroyed) decoder.end();
  // What came before the connection was lost is still good, so the decoder works to its end.
  incoming.once("close", () => decoder.end());
  return incoming.pipe(decoder);
}

async function createDecoder(encoding: string): Promise<Transform> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import(
    "node:zlib"
  );
  // Events are to come out when they come in, not when the decoder has enough of them.
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
      throw new Error(`the answer is encoded as ${encoding}, which is not understood`);
  }
}

/** What the server says about an error; more than this nobody reads. */
const longestBody = 64 * 1024;

/** The body of an answer that is no stream; the connection is free afterwards. */
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
    // The status says enough when the body breaks off.
  }
  await answer.drain();
  return body;
}
