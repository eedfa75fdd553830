/** How much of either end of an output is kept, in characters. */
const kept = 64 * 1024;

/** The output of a command while it runs: both ends of it, however much comes; a push costs its length. */
export class CommandOutput {
  #head = "";
  #tail = "";
  #omitted = 0;
  #lineEnds = 0;
  #length = 0;

  push(text: string): void {
    this.#length += text.length;
    this.#lineEnds += lineEndsIn(text);
    const room = kept - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= Math.max(0, room)) return;
    this.#tail += text.slice(Math.max(0, room));
    // Cut only when twice the size is reached, so that a push costs no more than what it brings.
    if (this.#tail.length > 2 * kept) {
      this.#omitted += this.#tail.length - kept;
      this.#tail = this.#tail.slice(-kept);
    }
  }

  /** How many lines came, also those that were not kept. */
  get lineEnds(): number {
    return this.#lineEnds;
  }

  /** How many characters came. */
  get length(): number {
    return this.#length;
  }

  /** How many of them are kept. */
  get keptLength(): number {
    return this.#head.length + this.#tail.length;
  }

  /** The last characters, enough for a screen. */
  last(length: number): string {
    const text = this.#tail.length >= length ? this.#tail : this.#head + this.#tail;
    return text.slice(-length);
  }

  /** All that is kept, with a note where something is missing. */
  text(): string {
    if (this.#omitted === 0) return this.#head + this.#tail;
    return `${this.#head}\n… ${this.#omitted} characters omitted …\n${this.#tail}`;
  }
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
