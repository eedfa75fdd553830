import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { takeFirstBytes } from "../lib/text.js";
import { parseRolloutLine } from "../protocol/read/index.js";
import type { GitInfo, ResponseItem, RolloutLine, SessionMetaLine } from "../protocol/types.js";
import { LineSplitter } from "./file-lines.js";
import { isUserMessage, messageKind, userText } from "./items/response-item.js";

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
    const line = parseHeadLine(bytes);
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

function parseHeadLine(bytes: Buffer): RolloutLine | undefined {
  try {
    return parseRolloutLine(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** What lists of conversations show of one; it never changes once the user has said something. */
export interface ThreadFacts {
  id: string;
  /** When it began, as RFC 3339. */
  timestamp: string;
  /** The beginning of what it is about. */
  preview: string;
  cwd: string;
  cliVersion: string;
  originator: string;
  /** What kind of client began it; `vscode` where that was not recorded. */
  source: unknown;
  provider: string | undefined;
  git: GitInfo | undefined;
  forkedFromId: string | undefined;
  /** Whether an event near the beginning tells of it, as versions of 2025 demand. */
  hasUserEvent: boolean;
}

/** The facts that the beginning of a rollout tells; nothing when the user has not said anything. */
export function toThreadFacts(head: RolloutHead): ThreadFacts | undefined {
  const { meta, userMessage, hasUserEvent } = head;
  if (meta === undefined || userMessage === undefined) return undefined;
  return {
    id: meta.id,
    timestamp: meta.timestamp,
    preview: toPreview(userMessage),
    cwd: meta.cwd,
    cliVersion: meta.cli_version,
    originator: meta.originator,
    source: meta.source ?? "vscode",
    provider: meta.model_provider ?? undefined,
    git: meta.git ?? undefined,
    forkedFromId: meta.forked_from_id ?? undefined,
    hasUserEvent,
  };
}

/** Editors put context in front of what the user asks; only the request is shown. */
function toPreview(message: string): string {
  const review = reviewPreview(message);
  if (review !== undefined) return takeFirstBytes(review, maxPreviewBytes);
  const at = message.indexOf(requestMark);
  const request = at < 0 ? message : message.slice(at + requestMark.length).trim();
  return takeFirstBytes(request, maxPreviewBytes);
}

/** A session that starts with a review is named by its result, not by the note about it to the model. */
function reviewPreview(message: string): string | undefined {
  const note = /^<user_action>[\s\S]*<action>review<\/action>/.exec(message.trimStart());
  if (note === null) return undefined;
  const results = /<results>\s*([\s\S]*?)\s*<\/results>/.exec(message)?.[1] ?? "";
  const first = results.split("\n")[0]?.trim() ?? "";
  return first === "" || first === "None." ? "Code review" : `Code review: ${first}`;
}

/** A message may be a whole file that was pasted; a list is not the place for it. */
const maxPreviewBytes = 4096;

const requestMark = "## My request for Codex:";

/** What lists show of a rollout; nothing when the user has not said anything in it. */
export async function readThreadFacts(path: string): Promise<ThreadFacts | undefined> {
  return toThreadFacts(await readHead(path));
}
