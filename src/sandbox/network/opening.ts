/** The protocol of a connection, as far as its first bytes show it. */
export type Opening =
  /** More bytes are needed. */
  | { protocol: "unknown" }
  | { protocol: "tls"; names: readonly string[] }
  | { protocol: "http" }
  /** Contains no host name that could be read. */
  | { protocol: "other" }
  /** Claims to be a protocol that it is not, or one that hides its hosts. */
  | { protocol: "broken"; reason: string };

/** Determines the protocol of a connection from the first bytes that the client sent. */
export function inspectOpening(bytes: Buffer): Opening {
  if (bytes.length < 2) return { protocol: "unknown" };
  if (bytes[0] === handshakeRecord && bytes[1] === tlsMajor) return inspectTls(bytes);
  const end = bytes.indexOf("\n");
  const line = bytes.toString("latin1", 0, end === -1 ? bytes.length : end);
  if (!/^[\t\r\x20-\x7e]*$/.test(line)) return { protocol: "other" };
  if (end === -1) return { protocol: line.length > longestLine ? "other" : "unknown" };
  const version = / HTTP\/(\d)/i.exec(line)?.[1];
  if (version === undefined && line.trim() !== "") return { protocol: "other" };
  if (version === "2") return { protocol: "broken", reason: "HTTP/2 without TLS is not supported" };
  return { protocol: "http" };
}

const handshakeRecord = 0x16;
const tlsMajor = 3;
const longestLine = 16_384;
const longestHello = 65_536;

function inspectTls(bytes: Buffer): Opening {
  const parts: Buffer[] = [];
  let at = 0;
  // A message may be split into several records.
  while (bytes.length >= at + recordHeader) {
    if (bytes[at] !== handshakeRecord) return broken("another record inside of the greeting");
    const end = at + recordHeader + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + recordHeader, end));
    if (end > bytes.length) break;
    at = end;
    const hello = helloIn(Buffer.concat(parts));
    if (hello === "incomplete") continue;
    return hello === undefined ? broken("no valid greeting") : { protocol: "tls", names: hello };
  }
  return bytes.length > longestHello ? broken("the greeting is too long") : { protocol: "unknown" };
}

const recordHeader = 5;
const clientHello = 1;

function broken(reason: string): Opening {
  return { protocol: "broken", reason: `invalid TLS: ${reason}` };
}

/** Returns the server names in a ClientHello message. */
function helloIn(message: Buffer): string[] | "incomplete" | undefined {
  if (message.length < 4) return "incomplete";
  if (message[0] !== clientHello) return undefined;
  const length = message.readUIntBE(1, 3);
  if (length > longestHello) return undefined;
  if (message.length < 4 + length) return "incomplete";
  try {
    return serverNames(new Fields(message.subarray(4, 4 + length)));
  } catch {
    return undefined;
  }
}

function serverNames(hello: Fields): string[] {
  const [version, random] = [2, 32];
  hello.take(version + random);
  hello.vector(1); // session id
  hello.vector(2); // cipher suites
  hello.vector(1); // compression methods
  if (hello.isAtEnd) return [];
  const names: string[] = [];
  const extensions = hello.vector(2);
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const content = extensions.vector(2);
    if (type !== serverNameExtension) continue;
    const list = content.vector(2);
    while (!list.isAtEnd) {
      list.number(1); // type: always a host name
      names.push(list.vector(2).rest());
    }
  }
  return names;
}

const serverNameExtension = 0;

/** Reads the fields of a message; throws if it is too short. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error("The message is too short");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  number(size: number): number {
    return this.take(size).readUIntBE(0, size);
  }

  /** Takes a field that starts with its own length. */
  vector(lengthSize: number): Fields {
    return new Fields(this.take(this.number(lengthSize)));
  }

  rest(): string {
    return this.take(this.#bytes.length - this.#at).toString("latin1");
  }
}
