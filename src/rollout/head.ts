import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { parseRolloutLine } from "../protocol/read/index.js";
import type { ResponseItem, RolloutLine, SessionMetaLine } from "../protocol/types.js";
import { isUserMessage, messageKind } from "./items/message-kind.js";
import { userText } from "./items/to-turn-item.js";
import { LineSplitter } from "./split-lines.js";

/** The beginning of a rollout, as far as it takes to show it in a list. */
export interface RolloutHead {
  meta: SessionMetaLine | undefined;
  /** The meta and the first items of the conversation, at most ten together. */
  records: (SessionMetaLine | ResponseItem)[];
  /** The first message of the user; absent when there is none near the beginning. */
  userMessage: string | undefined;
  /** Whether an event tells of a message of the user before the records are ten. */
  hasUserEvent: boolean;
}

/**
 * Reads the beginning of a rollout until it is clear whose it is and what it is about.
 *
 * At most 210 lines and 8 MiB are looked at. What cannot be read tells nothing.
 */
export async function readHead(path: string): Promise<RolloutHead> {
  const builder = new HeadBuilder();
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      await readInto(builder, file);
    } finally {
      await file.close();
    }
  } catch {
    // A file that vanished or may not be read is one that has nothing to show.
  }
  return builder.head;
}

async function readInto(builder: HeadBuilder, file: FileHandle): Promise<void> {
  const splitter = new LineSplitter(maxBytes);
  let size = 16 * 1024;
  for (let at = 0; at < maxBytes && !builder.isDone; size = 256 * 1024) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, at);
    if (bytesRead === 0) break;
    splitter.push(buffer.subarray(0, bytesRead), (line) => builder.add(line.bytes));
    at += bytesRead;
  }
  if (!builder.isDone) builder.add(splitter.rest()?.bytes);
}

const maxBytes = 8 * 1024 * 1024;
const headRecords = 10;
/** How far behind them the first message of the user is looked for. */
const furtherLines = 200;

class HeadBuilder {
  readonly head: RolloutHead = {
    meta: undefined,
    records: [],
    userMessage: undefined,
    hasUserEvent: false,
  };
  #lines = 0;

  get isDone(): boolean {
    const { meta, userMessage, hasUserEvent, records } = this.head;
    if (meta === undefined) return this.#lines >= headRecords;
    const isKnown = hasUserEvent || records.length >= headRecords;
    return (userMessage !== undefined && isKnown) || this.#lines >= headRecords + furtherLines;
  }

  add(bytes: Buffer | undefined): void {
    if (this.isDone || bytes === undefined || bytes.length === 0) return;
    this.#lines++;
    const line = tryParse(bytes);
    if (line === undefined) return;
    if (line.type === "session_meta") {
      this.head.meta ??= line.payload;
      this.#record(line.payload);
    } else if (line.type === "response_item") {
      this.#record(line.payload);
      if (isUserMessage(line.payload)) this.head.userMessage ??= userText(line.payload.content);
    } else if (line.type === "event_msg") {
      const message = messageOf(line.payload);
      if (message === undefined) return;
      this.head.userMessage ??= message;
      this.head.hasUserEvent ||= this.head.records.length < headRecords;
    }
  }

  #record(payload: SessionMetaLine | ResponseItem): void {
    if (this.head.records.length < headRecords) this.head.records.push(payload);
  }
}

function messageOf(
  msg: Extract<RolloutLine, { type: "event_msg" }>["payload"],
): string | undefined {
  if (msg.type === "user_message") {
    return (msg.kind ?? messageKind(msg.message)) === "plain" ? msg.message : undefined;
  }
  if (msg.type !== "item_completed" || msg.item.type !== "UserMessage") return undefined;
  return msg.item.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function tryParse(bytes: Buffer): RolloutLine | undefined {
  try {
    return parseRolloutLine(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}
