import type { Msg } from "@nats-io/transport-node";
import { ApiError, type Connection } from "./connection.js";

/** A message of a stream. */
export interface StoredMessage {
  subject: string;
  position: number;
  headers: ReadonlyMap<string, string>;
  data: Uint8Array;
}

/** Reads one message of a stream; undefined if there is none. */
export async function readMessage(
  connection: Connection,
  stream: string,
  which: { last_by_subj: string } | { seq: number; next_by_subj?: string },
): Promise<StoredMessage | undefined> {
  try {
    const { message } = await connection.api<{ message: RawMessage }>(
      `STREAM.MSG.GET.${stream}`,
      which,
    );
    return {
      subject: message.subject,
      position: message.seq,
      headers: parseHeaders(Buffer.from(message.hdrs ?? "", "base64").toString()),
      data: Buffer.from(message.data ?? "", "base64"),
    };
  } catch (error) {
    if (error instanceof ApiError && error.code === "no_message") return undefined;
    throw error;
  }
}

interface RawMessage {
  subject: string;
  seq: number;
  hdrs?: string;
  data?: string;
}

/** Returns the headers of a message that was delivered. */
export function headersOf({ headers }: Msg): ReadonlyMap<string, string> {
  return new Map((headers?.keys() ?? []).map((name) => [name, headers?.get(name) ?? ""]));
}

/** Parses a block of headers: a version line, then `Name: value` lines. */
function parseHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

/** Names of the headers that we set or read. */
export const headerNames = {
  /** Recognizes repetitions of one request. */
  messageId: "Nats-Msg-Id",
  /** Position of the last message of the subject; another one refuses the message. */
  expected: "Nats-Expected-Last-Subject-Sequence",
  /** In a message that the server passes on: its position, and that of the one before it on its subject. */
  position: "Nats-Sequence",
  previous: "Nats-Last-Sequence",
  /** Positions of the messages before it on the same subject, the nearest first. */
  before: "Quire-Before",
  /** Id of a submission. */
  id: "Quire-Id",
  /** Name of the blob that has the content. */
  blob: "Quire-Blob",
  /** The value was removed. */
  removed: "Quire-Removed",
} as const;
