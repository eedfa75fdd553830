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
import { readRollout } from "./read.js";
import { Replay } from "./replay.js";
import type { ThreadWork } from "./thread-work.js";
import { Warnings } from "./warnings.js";

/** A conversation rebuilt from its rollout, ready to be resumed. */
export interface ReplayedConversation {
  /** The id of the thread. */
  id: string;
  /** First line of the rollout. */
  meta: SessionMetaLine;
  /** The file it was read from. */
  path: string;
  /** Items sent to the model, after compactions and rollbacks. */
  items: ResponseItem[];
  /** Events for `session_configured.initial_messages`. */
  initialMessages: EventMsg[];
  /** End of each response that a client may return to, by response id. */
  bookmarks: ReadonlyMap<string, Bookmark>;
  /** Response that the next request continues from, if nothing was recorded after it. */
  lastResponseId: string | undefined;
  /** True if only the provider stores the start of the conversation. */
  isOnlyStored: boolean;
  /** Settings of the last request. */
  turnContext: TurnContextItem | undefined;
  /** Token usage so far. */
  tokens: TokenCountEvent | undefined;
  /** The name that the user gave it. */
  name: string | undefined;
  /** Goal and queued input. */
  work: ThreadWork;
  /** Positions of turns and user messages in the file. */
  turns: readonly TurnMark[];
  /** Where the messages of the user start. */
  userMessages: readonly { start: number }[];
  /** Number of user messages in the files this one continues. */
  inheritedUserMessages: number;
  /** Offsets after the meta line and after the last complete line. */
  begin: number;
  /** The offset at which the conversation ends. */
  end: number;
  /** Sentences for the user about lines that could not be read. */
  warnings: string[];
}

/** Options for reading a conversation. */
export interface ConversationOptions {
  /**
   * Start of a compacted conversation if the compaction did not record it; by default, the items
   * before its first user message.
   */
  initialContext?: readonly ResponseItem[];
  /** Reads only up to this offset, which must be the start of a line. */
  until?: number;
}

/**
 * Reads a conversation from its rollout; the file is neither locked nor changed.
 *
 * Unreadable lines are skipped and listed in `warnings`. Throws if nothing can be resumed: the file
 * is missing or empty, or has no session meta.
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
    work: replay.work,
    turns: replay.turns.turns,
    userMessages: replay.turns.userItems,
    inheritedUserMessages: replay.inheritedUserMessages,
    begin: replay.begin,
    end: read.end,
    warnings: warnings.list(),
  };
}

/** Replays the files that `path` continues, then `path`, as if they were one file. */
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
    `The start of this conversation is in conversation ${id}, whose file is missing; earlier ` +
    "messages are not available."
  );
}

function notAConversation(path: string, lines: number): CodexError {
  const message =
    lines === 0 ? "empty session file" : "failed to parse conversation ID from rollout file";
  return new CodexError("invalid_request", message, { data: { path } });
}
