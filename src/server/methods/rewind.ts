import { CodexError } from "../../protocol/error.js";
import type {
  ThreadRewindParams,
  ThreadRewindResponse,
  ThreadRewindUndoParams,
  ThreadTreeResponse,
  ThreadTreeSwitchParams,
} from "../../protocol/rpc/v2/rewind.js";
import type { ThreadParams } from "../../protocol/rpc/v2/thread.js";
import type { Op, ThreadRewoundEvent } from "../../protocol/types.js";
import { readTurnTree } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { historyOf } from "../history/history.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers that return a thread to an earlier state. */
export const rewindHandlers = {
  "thread/rewind": rewind,
  "thread/rewind/undo": undo,
  "thread/tree": readTree,
  "thread/tree/switch": switchBranch,
} satisfies Partial<V2Handlers>;

function rewind(
  { threadId, turnId, what, ...params }: ThreadRewindParams,
  connection: Connection,
): Promise<ThreadRewindResponse> {
  const part = what === undefined ? {} : { what };
  const op = { type: "rewind", turn_id: turnId, ...part, ...optionsOf(params) } as const;
  return submit(op, threadId, connection);
}

function undo(
  { threadId, ...params }: ThreadRewindUndoParams,
  connection: Connection,
): Promise<ThreadRewindResponse> {
  return submit({ type: "rewind_undo", ...optionsOf(params) }, threadId, connection);
}

function switchBranch(
  { threadId, turnId, what, ...params }: ThreadTreeSwitchParams,
  connection: Connection,
): Promise<ThreadRewindResponse> {
  const part = what === undefined ? {} : { what };
  const op = { type: "switch_branch", turn_id: turnId, ...part, ...optionsOf(params) } as const;
  return submit(op, threadId, connection);
}

function optionsOf({ dryRun, skipConflicts }: Omit<ThreadRewindUndoParams, "threadId">) {
  return {
    ...(dryRun === undefined ? {} : { dry_run: dryRun }),
    ...(skipConflicts === undefined ? {} : { skip_conflicts: skipConflicts }),
  };
}

async function submit(
  op: Op,
  threadId: string,
  connection: Connection,
): Promise<ThreadRewindResponse> {
  const { server } = connection;
  const thread = connection.thread(threadId);
  if (thread.isEphemeral) {
    throw new CodexError("invalid_request", "ephemeral threads cannot be rewound");
  }
  // Subscribers are notified as well.
  server.feeds.of(thread);
  return toResponse(await thread.request(op, server.parts.newId(), "thread_rewound"));
}

function toResponse(event: ThreadRewoundEvent): ThreadRewindResponse {
  const { rewind, dry_run, num_turns, files, conflicts, limits } = event;
  return {
    rewindId: dry_run ? null : rewind.rewind_id,
    turnId: rewind.turn_id,
    what: rewind.what,
    dryRun: dry_run,
    numTurns: num_turns,
    files: files.map(({ is_binary: isBinary, ...file }) => ({ ...file, isBinary })),
    conflicts,
    limits,
  };
}

async function readTree(
  { threadId }: ThreadParams,
  connection: Connection,
): Promise<ThreadTreeResponse> {
  const { server } = connection;
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  if (live?.isEphemeral) {
    throw new CodexError("invalid_request", "ephemeral threads have no tree of turns");
  }
  const path = (live && historyOf(live)?.path) ?? (await findAnyFile(server, threadId));
  if (path === undefined) {
    const data = { id: threadId };
    throw new CodexError("thread_not_found", `thread not found: ${threadId}`, { data });
  }
  const { turns, active } = await readTurnTree(path);
  const isActive = new Set(active);
  return {
    data: turns.map(({ id, parentId, text, status, startedAtMs, responseIds, changedFiles }) => ({
      turnId: id,
      parentTurnId: parentId ?? null,
      isActive: isActive.has(id),
      text,
      status,
      startedAtMs: startedAtMs ?? null,
      responseIds,
      changedFiles,
    })),
    activeTurnId: active.at(-1) ?? null,
  };
}
