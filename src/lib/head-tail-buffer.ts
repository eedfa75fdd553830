/**
 * Buffers the first and the last bytes of a stream and drops the middle.
 *
 * Bytes fill the head first, then the tail, which drops its oldest bytes. Memory stays within the
 * two limits however many chunks there are: bytes are copied, never referenced.
 */
export class HeadTailBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer = Buffer.alloc(0);
  #headSize = 0;
  /** A ring buffer once it has reached its limit; before that it grows by doubling. */
  #tail: Buffer = Buffer.alloc(0);
  #tailSize = 0;
  #tailStart = 0;
  #omitted = 0;

  constructor(headLimit: number, tailLimit: number) {
    this.#headLimit = headLimit;
    this.#tailLimit = tailLimit;
  }

  /** Creates a buffer of `limit` bytes, half of them for the head. */
  static halves(limit: number): HeadTailBuffer {
    const head = Math.floor(limit / 2);
    return new HeadTailBuffer(head, limit - head);
  }

  /** Number of dropped bytes. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Number of buffered bytes. */
  get size(): number {
    return this.#headSize + this.#tailSize;
  }

  push(chunk: Uint8Array): void {
    const forHead = Math.min(chunk.length, this.#headLimit - this.#headSize);
    if (forHead > 0) this.#pushHead(chunk.subarray(0, forHead));
    if (forHead < chunk.length) this.#pushTail(chunk.subarray(forHead));
  }

  /** Counts bytes that the caller has dropped, once the head is full. */
  skip(count: number): void {
    this.#omitted += count;
  }

  /** Returns a copy of the first bytes. */
  head(): Buffer {
    return Buffer.from(this.#head.subarray(0, this.#headSize));
  }

  /** Returns a copy of the last bytes that are not in the head. */
  tail(): Buffer {
    const end = this.#tailStart + this.#tailSize;
    const first = this.#tail.subarray(this.#tailStart, Math.min(end, this.#tail.length));
    const wrapped = this.#tail.subarray(0, Math.max(0, end - this.#tail.length));
    return Buffer.concat([first, wrapped]);
  }

  /** Returns head and tail concatenated, without a mark for the dropped middle. */
  bytes(): Buffer {
    return Buffer.concat([this.head(), this.tail()]);
  }

  /** Resets the buffer to empty. */
  clear(): void {
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
    this.#headSize = 0;
    this.#tailSize = 0;
    this.#tailStart = 0;
    this.#omitted = 0;
  }

  #pushHead(bytes: Uint8Array): void {
    const needed = this.#headSize + bytes.length;
    if (needed > this.#head.length) {
      this.#head = grown(this.head(), needed, this.#headLimit);
    }
    this.#head.set(bytes, this.#headSize);
    this.#headSize = needed;
  }

  #pushTail(bytes: Uint8Array): void {
    const overflow = this.#tailSize + bytes.length - this.#tailLimit;
    if (overflow > 0) this.#omitted += overflow;
    if (bytes.length >= this.#tailLimit) {
      this.#tail = Buffer.from(bytes.subarray(bytes.length - this.#tailLimit));
      this.#tailStart = 0;
      this.#tailSize = this.#tailLimit;
      return;
    }
    const needed = Math.min(this.#tailSize + bytes.length, this.#tailLimit);
    if (needed > this.#tail.length) {
      this.#tail = grown(this.tail(), needed, this.#tailLimit);
      this.#tailStart = 0;
    }
    if (overflow > 0) {
      this.#tailStart = (this.#tailStart + overflow) % this.#tail.length;
      this.#tailSize -= overflow;
    }
    const at = (this.#tailStart + this.#tailSize) % this.#tail.length;
    const beforeEnd = Math.min(bytes.length, this.#tail.length - at);
    this.#tail.set(bytes.subarray(0, beforeEnd), at);
    this.#tail.set(bytes.subarray(beforeEnd), 0);
    this.#tailSize += bytes.length;
  }
}

const smallest = 1024;

function grown(content: Buffer, needed: number, limit: number): Buffer {
  const size = Math.min(limit, Math.max(needed, content.length * 2, smallest));
  const buffer = Buffer.allocUnsafeSlow(size);
  buffer.set(content);
  return buffer;
}
