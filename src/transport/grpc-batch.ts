/** Encodes the `Batch` of schema/quire.proto: field 1, repeated strings. */
export function encodeBatch(messages: readonly string[]): Buffer {
  const sizes = messages.map((message) => Buffer.byteLength(message));
  const total = sizes.reduce((sum, size) => sum + 1 + varintLength(size) + size, 0);
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const [index, message] of messages.entries()) {
    bytes[at++] = messagesTag;
    at = writeVarint(bytes, at, sizes[index] ?? 0);
    at += bytes.write(message, at, "utf8");
  }
  return bytes;
}

/** Decodes a `Batch`; unknown fields are skipped. Throws if the bytes are not a valid message. */
export function decodeBatch(bytes: Buffer): string[] {
  const reader = new ProtoReader(bytes);
  const messages: string[] = [];
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    if (tag === messagesTag) messages.push(reader.bytes().toString("utf8"));
    else reader.skip(tag & 7);
  }
  return messages;
}

/** Field 1, length-delimited. */
const messagesTag = (1 << 3) | 2;

class ProtoReader {
  #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      // Bits past the 53rd are lost; a length or tag that has them is rejected below anyway.
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("The batch has an unterminated varint");
  }

  bytes(): Buffer {
    return this.#take(this.varint());
  }

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#take(8);
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#take(4);
    else throw new RangeError(`The batch has a field of unknown kind ${wireType}`);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("The batch ends in the middle of a field");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) length++;
  return length;
}

function writeVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 0x80;
  bytes[at++] = rest;
  return at;
}
