/**
 * Values as pieces of JSON for requests, each written once.
 *
 * An item of the conversation never changes after it was recorded, so a long history is not
 * written out anew with every request. Bytes are kept rather than text: joining them is a copy,
 * and nothing has to be encoded again. They go when their values go.
 */
export class JsonPieces<T extends object> {
  #written = new WeakMap<T, Buffer>();
  #toSent: (value: T) => object | undefined;

  /** What `toSent` has nothing for is left out. */
  constructor(toSent: (value: T) => object | undefined) {
    this.#toSent = toSent;
  }

  /** Appends the values to a body, with commas between them. */
  appendTo(pieces: Uint8Array[], values: readonly T[]): void {
    let first = true;
    for (const value of values) {
      const bytes = this.#bytes(value);
      if (bytes.length === 0) continue;
      pieces.push(first ? bytes.subarray(1) : bytes);
      first = false;
    }
  }

  /** The value with the comma that stands before it; empty for one that is left out. */
  #bytes(value: T): Buffer {
    let bytes = this.#written.get(value);
    if (bytes === undefined) {
      const sent = this.#toSent(value);
      bytes = ownBytes(sent === undefined ? "" : `,${JSON.stringify(sent)}`);
      this.#written.set(value, bytes);
    }
    return bytes;
  }
}

/** Bytes that share no memory with others: kept for long, they would keep all of that alive. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
