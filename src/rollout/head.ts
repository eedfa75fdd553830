import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { takeFirstBytes } from "../lib/text.js";
import { isRecord } from "../protocol/read/check.js";
import { parseRolloutLine } from "../protocol/read/index.js";
import type { GitInfo, ResponseItem, RolloutLine, SessionMetaLine } from "../protocol/types.js";
import { LineSplitter } from "./file-lines.js";
import { isUserMessage, messageKind, userText } from "./items/response-item.js";

/** Start of a rollout, enough to show the conversation in a list. */
export interface RolloutHead {
  meta: SessionMetaLine | undefined;
  /** The meta and the first items, at most ten together. */
  records: (SessionMetaLine | ResponseItem)[];
  /** First user message; undefined if there is none near the start. */
  userMessage: string | undefined;
  /** True if a user message event is among the first ten records. */
  hasUserEvent: boolean;
}

/**
 * Reads the start of a rollout until its meta and first user message are known.
 *
 * Reads at most 210 lines and 8 MiB. Unreadable lines and files are ignored.
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
    // A file that was deleted or is unreadable has an empty head.
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
/** Number of lines after them that are searched for the first user message. */
const searchedLines = 200;

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
    return (userMessage !== undefined && isKnown) || this.#lines >= headRecords + searchedLines;
  }

  add(bytes: Buffer | undefined): void {
    if (this.isDone || bytes === undefined || bytes.length === 0) return;
    this.#lines++;
    const line = parseHeadLine(bytes);
    if (line !== undefined) this.addLine(line);
  }

  addLine(line: RolloutLine): void {
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
  // A thread that works on a goal alone is shown by its objective.
  if (msg.type === "thread_goal_updated") return msg.goal.objective;
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

/** Returns the facts in the first lines of a conversation; undefined without a user message. */
export function factsOf(lines: readonly RolloutLine[]): ThreadFacts | undefined {
  const builder = new HeadBuilder();
  for (const line of lines) builder.addLine(line);
  return toThreadFacts(builder.head);
}

/** Facts about a conversation shown in lists; fixed once the user has sent a message. */
export interface ThreadFacts {
  id: string;
  /** Start time in RFC 3339 format. */
  timestamp: string;
  /** First bytes of the first user message. */
  preview: string;
  cwd: string;
  cliVersion: string;
  originator: string;
  /** Kind of client that started it; `vscode` if not recorded. */
  source: unknown;
  provider: string | undefined;
  git: GitInfo | undefined;
  forkedFromId: string | undefined;
  /** True if a user message event is near the start, which versions of 2025 require. */
  hasUserEvent: boolean;
}

/** Returns the facts in a head; undefined without a user message or `instead`. */
export function toThreadFacts(head: RolloutHead, instead?: string): ThreadFacts | undefined {
  const { meta, userMessage = instead, hasUserEvent } = head;
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

/** Editors prepend context to the request; only the request is shown. */
function toPreview(message: string): string {
  const review = reviewPreview(message);
  if (review !== undefined) return takeFirstBytes(review, maxPreviewBytes);
  const at = message.indexOf(requestMark);
  const request = at < 0 ? message : message.slice(at + requestMark.length).trim();
  return takeFirstBytes(request, maxPreviewBytes);
}

/** Titles a session that starts with a review by its result instead of the message to the model. */
function reviewPreview(message: string): string | undefined {
  const note = /^<user_action>[\s\S]*<action>review<\/action>/.exec(message.trimStart());
  if (note === null) return undefined;
  const results = /<results>\s*([\s\S]*?)\s*<\/results>/.exec(message)?.[1] ?? "";
  const first = results.split("\n")[0]?.trim() ?? "";
  return first === "" || first === "None." ? "Code review" : `Code review: ${first}`;
}

/** A message may contain a whole pasted file. */
const maxPreviewBytes = 4096;

const requestMark = "## My request for Codex:";

/**
 * Reads the facts about a conversation; undefined without a user message.
 *
 * That of a helper agent may start with a task and have none.
 */
export async function readThreadFacts(path: string): Promise<ThreadFacts | undefined> {
  const head = await readHead(path);
  return toThreadFacts(head, isSubAgent(head.meta?.source) ? "" : undefined);
}

/** True if a thread was started by another one, by its recorded source. */
export function isSubAgent(source: unknown): boolean {
  return isRecord(source) && source.subagent !== undefined;
}

/** Returns the thread that has started a helper agent, by the recorded source of the agent. */
export function parentThreadOf(source: unknown): string | undefined {
  const agent = isRecord(source) ? source.subagent : undefined;
  const spawned = isRecord(agent) ? agent.thread_spawn : undefined;
  const id = isRecord(spawned) ? spawned.parent_thread_id : undefined;
  return typeof id === "string" ? id : undefined;
}
