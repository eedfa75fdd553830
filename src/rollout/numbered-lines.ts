import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { createUuidSource } from "../lib/ids.js";
import type { EventMsg, RolloutItem, TurnItem } from "../protocol/types.js";
import { inputOfEvent, messageFacts } from "./items/response-item.js";

/**
 * Converts events to completed items, for files of versions that show only items.
 *
 * Events outside a turn, and events without an item, are unchanged.
 */
export class ItemConverter {
  readonly #threadId: string;
  readonly #now: () => number;
  readonly #newId: () => string;
  #turnId: string | undefined;

  constructor(threadId: string, now: () => number) {
    this.#threadId = threadId;
    this.#now = now;
    this.#newId = createUuidSource(now);
  }

  convert(line: RolloutItem): RolloutItem {
    return line.type === "event_msg" ? { ...line, payload: this.#toItemEvent(line.payload) } : line;
  }

  #toItemEvent(msg: EventMsg): EventMsg {
    if (msg.type === "task_started") this.#turnId = msg.turn_id ?? undefined;
    const item = this.#turnId === undefined ? undefined : toItem(msg, this.#newId);
    if (item === undefined || this.#turnId === undefined) return msg;
    const at = this.#now();
    const ids = { thread_id: this.#threadId, turn_id: this.#turnId };
    const times = { started_at_ms: at, completed_at_ms: at };
    return { type: "item_completed", ...ids, item, ...times };
  }
}

function toItem(msg: EventMsg, newId: () => string): TurnItem | undefined {
  switch (msg.type) {
    case "user_message":
      if (msg.kind !== undefined && msg.kind !== "plain") return undefined;
      return { type: "UserMessage", id: newId(), content: inputOfEvent(msg) };
    case "agent_message":
      return {
        type: "AgentMessage",
        id: newId(),
        content: [{ type: "Text", text: msg.message }],
        ...messageFacts(msg),
      };
    case "agent_reasoning":
      return { type: "Reasoning", id: newId(), summary_text: [msg.text], raw_content: [] };
    case "agent_reasoning_raw_content":
      return { type: "Reasoning", id: newId(), summary_text: [], raw_content: [msg.text] };
    case "context_compacted":
      return { type: "ContextCompaction", id: newId() };
    default:
      return undefined;
  }
}

/**
 * Returns the number of the next line of a rollout; undefined if its lines are not numbered.
 *
 * Since 0.155 the reference numbers lines and rejects a file whose last line has no number, so
 * appended lines must continue the count. Unreadable lines are skipped, as in the reference.
 */
export function nextOrdinal(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined; // the next write reports the error
  }
  try {
    for (const bytes of linesFromEnd(fd)) {
      const line = parseObject(bytes);
      if (line !== undefined) return isOrdinal(line.ordinal) ? line.ordinal + 1 : undefined;
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

const pieceBytes = 64 * 1024;
const longestLine = 64 * 1024 * 1024;

function* linesFromEnd(fd: number): Generator<Buffer> {
  let rest = Buffer.alloc(0);
  let begin = fstatSync(fd).size;
  while (begin > 0 && rest.length <= longestLine) {
    // Doubles the size each time, so that a long line is not copied for every chunk.
    const piece = Buffer.alloc(Math.min(Math.max(pieceBytes, rest.length), begin));
    begin -= piece.length;
    readSync(fd, piece, 0, piece.length, begin);
    rest = Buffer.concat([piece, rest]);
    for (let at = rest.lastIndexOf(0x0a); at >= 0; at = rest.lastIndexOf(0x0a)) {
      yield rest.subarray(at + 1);
      rest = rest.subarray(0, at);
    }
  }
  if (begin === 0) yield rest;
}

function parseObject(bytes: Buffer): { ordinal?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // blank, truncated or corrupt
  }
}

function isOrdinal(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
