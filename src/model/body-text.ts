import type { Readable } from "node:stream";

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
