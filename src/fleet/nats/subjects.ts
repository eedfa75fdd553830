/** Streams of a tenant; the keys are parts of their names and subjects. */
export const streamKinds = [
  "log",
  "sub",
  "wake",
  "lease",
  "answer",
  "thread",
  "mark",
  "worker",
  "blob",
  "bad",
] as const;

export type StreamKind = (typeof streamKinds)[number];

/** Names of streams and subjects of one tenant. */
export class Subjects {
  readonly #tenant: string;

  constructor(tenant: string) {
    this.#tenant = tenant;
  }

  /** Name of a stream: `CX_default_LOG`. */
  stream(kind: StreamKind): string {
    return `CX_${this.#tenant}_${kind.toUpperCase()}`;
  }

  /** Subject of a stored value: `cx.default.log.THREAD`. */
  of(kind: StreamKind | "live" | "drain", ...names: string[]): string {
    return ["cx", this.#tenant, kind, ...names.map(toToken)].join(".");
  }

  /** Subject on which the server passes on what it has stored: `cx.default.stored.log.THREAD`. */
  stored(subject: string): string {
    const prefix = `cx.${this.#tenant}`;
    return `${prefix}.stored${subject.slice(prefix.length)}`;
  }

  /** Wake-ups of a thread in all pools. */
  wakesOf(threadId: string): string {
    return `cx.${this.#tenant}.wake.*.${toToken(threadId)}`;
  }

  /** All subjects of a kind, or below some names of it. */
  all(kind: StreamKind, ...names: string[]): string {
    return `${this.of(kind, ...names)}.>`;
  }
}

/** Encodes a name as one token of a subject. Names of letters, digits, `_` and `-` stay as they are. */
export function toToken(name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name;
  return `=${Buffer.from(name).toString("hex")}`;
}

/** Returns the name at the end of a subject. */
export function nameOf(subject: string): string {
  return fromToken(subject.split(".").at(-1) ?? "");
}

/** Decodes a token. */
function fromToken(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "hex").toString() : token;
}
