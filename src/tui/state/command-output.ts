/** Characters kept of the start and of the end. */
const kept = 64 * 1024;

/** The output of a running command: keeps its start and end; a push costs its own length. */
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
    // Trim only at twice the size, so that the amortized cost of a push is its own length.
    if (this.#tail.length > 2 * kept) {
      this.#omitted += this.#tail.length - kept;
      this.#tail = this.#tail.slice(-kept);
    }
  }

  /** Number of lines received, including those that were dropped. */
  get lineEnds(): number {
    return this.#lineEnds;
  }

  /** Number of characters received. */
  get length(): number {
    return this.#length;
  }

  /** Number of characters kept. */
  get keptLength(): number {
    return this.#head.length + this.#tail.length;
  }

  /** Returns the last characters. */
  last(length: number): string {
    const text = this.#tail.length >= length ? this.#tail : this.#head + this.#tail;
    return text.slice(-length);
  }

  /** Returns all that is kept, with a marker for the dropped part. */
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
