import { CodexError } from "../../protocol/error.js";
import type {
  RewindOp,
  RewindPart,
  RewindRecord,
  RewindUndoOp,
  SwitchBranchOp,
  ThreadRewoundEvent,
} from "../../protocol/types.js";
import {
  type CheckpointMark,
  readTurnTree,
  type TreeTurn,
  type TurnTree,
} from "../../rollout/index.js";
import type { Session } from "../session.js";
import { type ChatMove, chatBefore, chatOf } from "./chat.js";
import { type PlannedFiles, planFiles } from "./files.js";

type Options = Pick<RewindOp, "dry_run" | "skip_conflicts">;

/** Returns to the state before a turn. */
export async function rewindTo(session: Session, op: RewindOp, id: string): Promise<void> {
  const tree = await openTree(session);
  const turn = findTurn(tree, op.turn_id);
  const { what = "chat" } = op;
  const chat = what === "files" ? undefined : chatBefore(session, tree, turn);
  const marks = what === "chat" ? [] : tree.checkpointsSince(turn);
  const record = { kind: "rewind", turn_id: turn.id, what } as const;
  await move(session, id, { tree, record, chat, marks, options: op });
}

/** Continues the conversation after a turn of any branch. */
export async function switchTo(session: Session, op: SwitchBranchOp, id: string): Promise<void> {
  const tree = await openTree(session);
  const turn = findTurn(tree, op.turn_id);
  const { what = "chat" } = op;
  const chat = what === "files" ? undefined : chatOf(session, tree, turn.id);
  const marks = what === "chat" ? [] : tree.checkpointsAfter(turn);
  const record = { kind: "switch", turn_id: turn.id, what } as const;
  await move(session, id, { tree, record, chat, marks, options: op });
}

/** Takes back the last rewind or switch that is not taken back yet. */
export async function undoRewind(session: Session, op: RewindUndoOp, id: string): Promise<void> {
  const tree = await openTree(session);
  const undone = new Set(tree.rewinds.map(({ undoes }) => undoes));
  const last = tree.rewinds.findLast(
    ({ kind, rewind_id }) => kind !== "undo" && !undone.has(rewind_id),
  );
  if (last === undefined) throw invalid("This thread has no rewind to take back.");
  const { what, turn_id, rewind_id: undoes, leaf_turn_id: leaf } = last;
  const chat = what === "files" ? undefined : chatOf(session, tree, leaf ?? undefined);
  const marks = what === "chat" ? [] : tree.checkpointsSinceRewind(last);
  const record = { kind: "undo", turn_id, what, undoes } as const;
  await move(session, id, { tree, record, chat, marks, options: op });
}

/** Reads the tree of turns; throws if a turn is active, or if the thread is not stored. */
export async function openTree(session: Session): Promise<TurnTree> {
  if (session.task !== undefined) throw invalid("Cannot rewind while a turn is in progress.");
  const { path } = session.parts.log;
  if (path === undefined) throw invalid("This thread is not stored, so it cannot be rewound.");
  await session.files?.settled();
  return readTurnTree(path);
}

function findTurn(tree: TurnTree, turnId: string): TreeTurn {
  const turn = tree.find(turnId);
  if (turn !== undefined) return turn;
  throw new CodexError("not_found", `turn not found: ${turnId}`, { data: { turn_id: turnId } });
}

/** A move of the conversation and the files to another state. */
export interface Move {
  tree: TurnTree;
  record: Pick<RewindRecord, "kind" | "turn_id" | "what" | "undoes">;
  chat: ChatMove | undefined;
  /** Manifests to take back, oldest first. */
  marks: readonly CheckpointMark[];
  options: Options;
}

/** Makes a move, or lists what it would change. Files with conflicts refuse it, unless they are skipped. */
export async function move(session: Session, id: string, wanted: Move): Promise<void> {
  const { tree, record, chat, marks, options } = wanted;
  const files = record.what === "chat" ? undefined : await planFiles(session, tree, marks);
  const { dry_run: isDryRun = false, skip_conflicts: skips = false } = options;
  const rewindId = session.parts.newId();
  const leaf = tree.active.at(-1);
  const rewind: RewindRecord = {
    ...record,
    rewind_id: isDryRun ? "" : rewindId,
    ...(leaf === undefined ? {} : { leaf_turn_id: leaf }),
  };
  const event = toEvent(rewind, { isDryRun, chat, files });
  if (isDryRun) return session.events.answer(id, event);
  const conflicts = files?.conflicts ?? [];
  if (conflicts.length > 0 && !skips) throw refused(record.what, conflicts);
  const manifest = files?.store();
  const recorded = manifest === undefined ? rewind : { ...rewind, manifest };
  const commit = async () => {
    if (chat === undefined) session.emit(id, { ...event, rewind: recorded });
    else await chat.apply(recorded, id);
  };
  if (files === undefined) await commit();
  else await files.restore(rewindId, commit);
  if (chat !== undefined) session.events.answer(id, { ...event, rewind: recorded });
}

function toEvent(
  rewind: RewindRecord,
  {
    isDryRun,
    chat,
    files,
  }: { isDryRun: boolean; chat: ChatMove | undefined; files: PlannedFiles | undefined },
): ThreadRewoundEvent {
  return {
    type: "thread_rewound",
    rewind,
    dry_run: isDryRun,
    num_turns: chat?.numTurns ?? 0,
    files: files?.previews ?? [],
    conflicts: files?.conflicts ?? [],
    limits: files?.limits ?? [],
  };
}

function refused(what: RewindPart, conflicts: ThreadRewoundEvent["conflicts"]): CodexError {
  const list = conflicts.slice(0, mostListed).map(({ path, reason }) => `${path}: ${reason}`);
  const more = conflicts.length > mostListed ? [`and ${conflicts.length - mostListed} more`] : [];
  const nothing = what === "both" ? "Nothing was changed" : "No file was changed";
  const message =
    `${nothing}: ${conflicts.length === 1 ? "a file" : `${conflicts.length} files`} cannot be restored. ` +
    `Skip conflicts to restore the others.\n${[...list, ...more].join("\n")}`;
  return new CodexError("invalid_request", message, { data: { conflicts } });
}

const mostListed = 10;

function invalid(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
