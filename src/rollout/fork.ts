import { CodexError } from "../protocol/error.js";
import {
  type ConversationOptions,
  type ReplayedConversation,
  readConversation,
} from "./conversation.js";
import type { TurnMark } from "./turn-marks.js";

/** Where a copy of a conversation leaves it. */
export type ForkPoint =
  | { type: "end" }
  /** Strictly before the user's n-th message, counted from 0; past the last one nothing is kept. */
  | { type: "before_user_message"; index: number }
  | { type: "through_turn"; turnId: string }
  | { type: "before_turn"; turnId: string }
  /** Where a response ended: its items and the outputs of its calls are kept. */
  | { type: "response"; responseId: string };

/** The beginning of a conversation that another one starts from. */
export interface ForkedConversation {
  /** The conversation it is taken from; the new one says so as `forked_from_id`. */
  sourceId: string;
  sourcePath: string;
  /** The new file begins with its own meta and then the source's bytes up to here. */
  end: number;
  /** What the kept part tells. */
  conversation: ReplayedConversation;
}

/**
 * Reads the part of a conversation that a copy keeps; the source is not changed.
 *
 * Throws when there is no such turn or response.
 */
export async function forkConversation(
  path: string,
  point: ForkPoint,
  options: Pick<ConversationOptions, "initialContext"> = {},
): Promise<ForkedConversation> {
  const source = await readConversation(path, options);
  const end = findCut(source, point);
  // How things stood at an earlier place, only reading up to it tells.
  const conversation =
    end === source.end ? source : await readConversation(path, { ...options, until: end });
  return { sourceId: source.id, sourcePath: path, end, conversation };
}

/** The byte of the file before which everything is kept. */
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
      const message = `No response ${point.responseId} in conversation ${source.id} to go on from`;
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
    `Message ${index} of conversation ${id} lies in the conversation that it was copied from; ` +
    "copy that one instead";
  throw new CodexError("invalid_request", message, { data: { conversation_id: id, index } });
}

function findTurn(source: ReplayedConversation, turnId: string): TurnMark {
  const turn = source.turns.findLast(({ id }) => id === turnId);
  if (turn !== undefined) return turn;
  const message = `No turn ${turnId} in conversation ${source.id}`;
  const data = { turn_id: turnId, conversation_id: source.id };
  throw new CodexError("not_found", message, { data });
}
