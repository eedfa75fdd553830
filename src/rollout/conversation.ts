import { CodexError } from "../protocol/error.js";
import type {
  EventMsg,
  ResponseItem,
  SessionMetaLine,
  TokenCountEvent,
  TurnContextItem,
} from "../protocol/types.js";
import { type BaseFile, findBases } from "./history-base.js";
import type { Bookmark, TurnMark } from "./positions.js";
import { readRollout, Warnings } from "./read.js";
import { Replay } from "./replay.js";

/** A conversation as its rollout tells it, ready to go on. */
export interface ReplayedConversation {
  id: string;
  /** How it began. */
  meta: SessionMetaLine;
  path: string;
  /** What the model is shown: after compactions and roll-backs. */
  items: ResponseItem[];
  /** What a client is told of it, as `session_configured.initial_messages`. */
  initialMessages: EventMsg[];
  /** Where each response ended that a client may come back to. */
  bookmarks: ReadonlyMap<string, Bookmark>;
  /** The response that the next request goes on from, when nothing came behind it. */
  lastResponseId: string | undefined;
  /** The provider alone has the beginning of the conversation. */
  isOnlyStored: boolean;
  /** The settings of the last request. */
  turnContext: TurnContextItem | undefined;
  /** What it has cost so far. */
  tokens: TokenCountEvent | undefined;
  name: string | undefined;
  /** Where its turns, and its messages of the user, lie in the file. */
  turns: readonly TurnMark[];
  userMessages: readonly { start: number }[];
  /** How many messages of the user lie in the files of others, before the first of these. */
  inheritedUserMessages: number;
  /** The bytes behind the line that says how it began, and behind the last whole one. */
  begin: number;
  end: number;
  /** What of the file could not be read, as sentences for the user. */
  warnings: string[];
}

/** How a conversation is read. */
export interface ConversationOptions {
  /** Opens the conversation where a compaction did not record it; else what stood there before. */
  initialContext?: readonly ResponseItem[];
  /** Reads only what lies before this byte of the file, which must be the beginning of a line. */
  until?: number;
}

/**
 * Reads a conversation from its rollout; the file is neither locked nor changed.
 *
 * Lines that cannot be read are left out and named in `warnings`. Throws when there is nothing to go
 * on with: no file, an empty one, or one without the line that says whose it is.
 */
export async function readConversation(
  path: string,
  options: ConversationOptions = {},
): Promise<ReplayedConversation> {
  let replayed = await replayFiles([], path, options);
  const bases = await findBases(path, replayed.replay.meta);
  if (bases.files.length > 0) replayed = await replayFiles(bases.files, path, options);
  if (bases.missing !== undefined) replayed.warnings.add(missingBase(bases.missing));
  const { replay, read, warnings } = replayed;
  const { meta } = replay;
  if (meta === undefined) throw notAConversation(path, read.lines);
  return {
    id: meta.id,
    meta,
    path,
    items: replay.items,
    initialMessages: replay.events,
    bookmarks: replay.bookmarks.all,
    lastResponseId: replay.bookmarks.lastResponseId,
    isOnlyStored: replay.isOnlyStored,
    turnContext: replay.turnContext,
    tokens: replay.tokens,
    name: replay.name,
    turns: replay.turns.turns,
    userMessages: replay.turns.userItems,
    inheritedUserMessages: replay.inheritedUserMessages,
    begin: replay.begin,
    end: read.end,
    warnings: warnings.list(),
  };
}

/** What another file says before is replayed as if it stood in this one. */
async function replayFiles(
  bases: readonly BaseFile[],
  path: string,
  { initialContext, until }: ConversationOptions,
) {
  const replay = new Replay(initialContext);
  const warnings = new Warnings();
  for (const base of bases) {
    await readRollout(base.path, replay, { warnings, until: base.end });
    replay.beginNextFile();
  }
  const options = { warnings, ...(until === undefined ? {} : { until }) };
  return { replay, read: await readRollout(path, replay, options), warnings };
}

function missingBase(id: string): string {
  return (
    `The beginning is kept in the conversation ${id}, whose file is not there; what was said ` +
    "before this one began is missing."
  );
}

function notAConversation(path: string, lines: number): CodexError {
  const message =
    lines === 0 ? "empty session file" : "failed to parse conversation ID from rollout file";
  return new CodexError("invalid_request", message, { data: { path } });
}
