/** Streams of a tenant; the keys are parts of their names and subjects. */
export const streamKinds = [
  "log",
  "sub",
  "wake",
  "lease",
  "answer",
  "thread",
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

/** Decodes a token. */
export function fromToken(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "hex").toString() : token;
}
