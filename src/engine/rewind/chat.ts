import { isDeepStrictEqual } from "node:util";
import { CodexError } from "../../protocol/error.js";
import type { ResponseItem, RewindRecord, RolloutItem } from "../../protocol/types.js";
import {
  isUserMessage,
  readConversation,
  readTurnLines,
  type TreeTurn,
  type TurnTree,
} from "../../rollout/index.js";
import type { Session } from "../session.js";
import { estimateTokens } from "../tokens.js";

/** A move of the conversation to another turn. */
export interface ChatMove {
  /** Number of turns that are removed. */
  numTurns: number;
  /** Logs the move and makes it. */
  apply(rewind: RewindRecord, submissionId: string): Promise<void>;
}

/** Moves the conversation to before a turn that it contains; throws if it does not. */
export function chatBefore(session: Session, tree: TurnTree, turn: TreeTurn): ChatMove {
  const index = tree.active.lastIndexOf(turn.id);
  if (index < 0) {
    const message = `The turn ${turn.id} is on another branch; switch to that branch first.`;
    throw new CodexError("invalid_request", message);
  }
  return toMove(session, tree, tree.active.slice(0, index));
}

/** Moves the conversation to the end of a turn of any branch; undefined is its start. */
export function chatOf(session: Session, tree: TurnTree, turnId: string | undefined): ChatMove {
  return toMove(session, tree, turnId === undefined ? [] : tree.pathTo(turnId));
}

/**
 * Moves the conversation to a path of turns.
 *
 * The log gets a rollback to the last common turn and then the turns of the branch once more, so that
 * every reader of rollouts sees the conversation as it is.
 */
function toMove(session: Session, tree: TurnTree, path: readonly string[]): ChatMove {
  const { active } = tree;
  const common = path.findIndex((id, index) => active[index] !== id);
  const shared = common < 0 ? path.length : common;
  const numTurns = active.length - shared;
  return {
    numTurns,
    async apply(rewind, submissionId) {
      const last = path.at(-1);
      const added = path.slice(shared);
      const expected = await itemsAfter(tree, active, last);
      session.rollBack(numTurns);
      session.emit(submissionId, session.tokens.event(session.contextWindow));
      session.emit(submissionId, { type: "thread_rolled_back", num_turns: numTurns, rewind });
      for (const id of added) await copyTurn(session, tree.find(id));
      if (expected !== undefined) await settleItems(session, expected);
      session.tokens.estimate(estimateTokens(session.history.items));
    },
  };
}

/** Returns the items of the conversation at the end of a turn, as the log had them. */
async function itemsAfter(
  tree: TurnTree,
  active: readonly string[],
  turnId: string | undefined,
): Promise<readonly ResponseItem[] | undefined> {
  if (turnId === undefined) {
    const first = tree.find(active[0] ?? "");
    return first && (await readConversation(first.file, { until: first.start })).items;
  }
  const turn = tree.find(turnId);
  if (turn?.end === undefined) return undefined;
  return (await readConversation(turn.file, { until: turn.end })).items;
}

/** Logs a turn once more, without what happened to the thread as a whole. */
async function copyTurn(session: Session, turn: TreeTurn | undefined): Promise<void> {
  if (turn === undefined) return;
  for (const line of await readTurnLines(turn)) {
    if (!isOfTurn(line)) continue;
    if (line.type === "response_item") session.record([line.payload]);
    else session.parts.log.append(line);
  }
}

function isOfTurn(line: RolloutItem): boolean {
  if (line.type === "session_meta") return false;
  return line.type !== "event_msg" || !ofThread.has(line.payload.type);
}

const ofThread: ReadonlySet<string> = new Set([
  "token_count",
  "turn_checkpoint",
  "thread_rolled_back",
  "thread_rewound",
  "thread_goal_updated",
  "thread_goal_cleared",
  "thread_queue_changed",
  "thread_name_updated",
]);

/**
 * Makes the items what they were. Summaries and input that joined a turn are not undone by counting
 * turns.
 */
async function settleItems(session: Session, expected: readonly ResponseItem[]): Promise<void> {
  const { history, parts } = session;
  if (parts.log.path === undefined || !expected.some(isUserMessage)) return;
  const { items } = await readConversation(parts.log.path);
  if (!isDeepStrictEqual(items, expected)) {
    const payload = { message: "", replacement_history: [...expected] };
    parts.log.append({ type: "compacted", payload });
  }
  if (!isDeepStrictEqual(history.items, expected)) history.replace(expected);
}
