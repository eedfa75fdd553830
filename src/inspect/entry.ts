import type { RequestId } from "../jsonrpc/index.js";

/** Sender of a message. */
export type Sender = "client" | "server";

/** A message between client and server, as the inspector shows it. */
export interface Entry {
  /** Number, from 1. */
  n: number;
  /** Milliseconds since the inspector started. */
  ms: number;
  /** Number of the client, with `--listen`. */
  connection?: number;
  from: Sender;
  kind: "request" | "notification" | "result" | "error" | "unreadable";
  id?: RequestId;
  /** Method; for a result or an error, that of its request. */
  method?: string;
  /** Params, result or error, redacted; the text of an unreadable message. */
  body?: unknown;
  /** Size of the message, in bytes. */
  bytes: number;
  /** Milliseconds from the request to its answer. */
  tookMs?: number;
  /** Violations of the protocol. */
  problems: string[];
  /** Facts worth knowing that violate nothing. */
  notes: string[];
}

/** A message as it was seen, before it is redacted and shown. */
export interface Seen {
  entry: Entry;
  /** The whole message; undefined if it is not JSON. */
  message: unknown;
}

/** True if the message violates the protocol. */
export function isInvalid({ problems }: Entry): boolean {
  return problems.length > 0;
}
