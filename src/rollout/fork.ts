import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";
import type { SessionMetaLine } from "../protocol/types.js";
import {
  type ConversationOptions,
  type ReplayedConversation,
  readConversation,
} from "./conversation.js";
import { historyBaseOf } from "./history-base.js";
import { toRolloutLine } from "./persist.js";
import type { TurnMark } from "./positions.js";

/** Point at which a fork leaves its source. */
export type ForkPoint =
  | { type: "end" }
  /** Before the n-th user message, counted from 0; past the last message nothing is copied. */
  | { type: "before_user_message"; index: number }
  | { type: "through_turn"; turnId: string }
  | { type: "before_turn"; turnId: string }
  /** End of a response, including its items and the outputs of its calls. */
  | { type: "response"; responseId: string };

/** The part of a conversation that a fork copies. */
export interface ForkedConversation {
  /** Id of the source, recorded as `forked_from_id`. */
  sourceId: string;
  sourcePath: string;
  /** Offset in the source up to which lines are copied after the new meta line. */
  end: number;
  /** The copied part, replayed. */
  conversation: ReplayedConversation;
}

/**
 * Reads the part of a conversation that a fork copies; the source is not changed.
 *
 * Throws if the turn or response does not exist.
 */
export async function forkConversation(
  path: string,
  point: ForkPoint,
  options: Pick<ConversationOptions, "initialContext"> = {},
): Promise<ForkedConversation> {
  const source = await readConversation(path, options);
  const end = findCut(source, point);
  // The state at an earlier offset is only known by reading up to it.
  const conversation =
    end === source.end ? source : await readConversation(path, { ...options, until: end });
  return { sourceId: source.id, sourcePath: path, end, conversation };
}

/** Returns the offset up to which the source is copied. */
function findCut(source: ReplayedConversation, point: ForkPoint): number {
  switch (point.type) {
    case "end":
      return source.end;
    case "before_user_message":
      return findUserMessage(source, point.index);
    case "through_turn":
      return findTurn(source, point.turnId).end ?? source.end;
    case "before_turn":
      return findTurn(source, point.turnId).start;
    case "response": {
      const bookmark = source.bookmarks.get(point.responseId);
      if (bookmark !== undefined) return bookmark.end;
      const message = `No response ${point.responseId} in conversation ${source.id}`;
      const data = { response_id: point.responseId, conversation_id: source.id };
      throw new CodexError("not_found", message, { data });
    }
  }
}

function findUserMessage(source: ReplayedConversation, index: number): number {
  const { userMessages, inheritedUserMessages, begin, id } = source;
  if (index >= inheritedUserMessages) {
    return userMessages[index - inheritedUserMessages]?.start ?? begin;
  }
  const message =
    `Message ${index} of conversation ${id} is in the conversation it was forked from; ` +
    "fork that one instead";
  throw new CodexError("invalid_request", message, { data: { conversation_id: id, index } });
}

function findTurn(source: ReplayedConversation, turnId: string): TurnMark {
  const turn = source.turns.findLast(({ id }) => id === turnId);
  if (turn !== undefined) return turn;
  const message = `No turn ${turnId} in conversation ${source.id}`;
  const data = { turn_id: turnId, conversation_id: source.id };
  throw new CodexError("not_found", message, { data });
}

/** Options for the file of a fork. */
export interface ForkFileOptions {
  path: string;
  /** Meta of the new conversation, without `forked_from_id`. */
  meta: SessionMetaLine;
  now(): number;
}

/**
 * Writes the file of a forked conversation: its own meta line, then the copied part.
 *
 * The file appears complete or not at all. Lines are copied byte for byte, including ones this
 * version cannot read.
 */
export async function writeForkFile(
  { sourceId, sourcePath, end, conversation }: ForkedConversation,
  { path, meta, now }: ForkFileOptions,
): Promise<void> {
  const draft = `${path}.part`;
  const begun = { ...meta, forked_from_id: sourceId };
  const { first, start } = beginningOf(conversation, begun, now());
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const [from, to] = [await open(sourcePath), await open(draft, "wx", 0o600)];
    try {
      await to.writeFile(first);
      await copyLines(from, to, { start, end });
    } finally {
      await Promise.all([from.close(), to.close()]);
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const reason = errorText(error);
    const message = `Cannot fork conversation ${sourceId} to ${path}: ${reason}`;
    throw new CodexError("io", message, { cause: error, data: { path } });
  }
}

/** A meta line contains no sandbox policy, so the tag does not matter. */
const metaBehavior = { policyTag: "mode" } as const;

/**
 * Returns the first line, and the offset the source is copied from.
 *
 * Line numbers must have no gap or duplicate: in numbered files the new meta replaces the old one,
 * in others it is inserted before it.
 */
function beginningOf(
  { meta, begin }: ReplayedConversation,
  begun: SessionMetaLine,
  now: number,
): { first: Buffer; start: number } {
  const { history_mode } = meta as { history_mode?: unknown };
  if (history_mode !== "paginated") {
    const line = { type: "session_meta", payload: begun } as const;
    return { first: toRolloutLine(line, now, metaBehavior), start: 0 };
  }
  const history_base = historyBaseOf(meta);
  const payload = { ...begun, history_mode, ...(history_base && { history_base }) };
  const ordinal = history_base?.end_ordinal_exclusive ?? 0;
  const line = { type: "session_meta", payload } as const;
  return { first: toRolloutLine(line, now, metaBehavior, ordinal), start: begin };
}

async function copyLines(
  from: FileHandle,
  to: FileHandle,
  { start, end }: { start: number; end: number },
): Promise<void> {
  const buffer = Buffer.allocUnsafe(512 * 1024);
  let last = 0x0a;
  for (let at = start; at < end; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytesRead === 0) break;
    await to.writeFile(buffer.subarray(0, bytesRead));
    last = buffer[bytesRead - 1] ?? last;
    at += bytesRead;
  }
  if (last !== 0x0a) await to.writeFile("\n");
}
