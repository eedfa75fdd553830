import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  ThreadGoal,
  ThreadGoalClearResponse,
  ThreadGoalGetResponse,
  ThreadGoalSetParams,
  ThreadGoalSetResponse,
} from "../../protocol/rpc/v2/goal.js";
import type { ThreadParams } from "../../protocol/rpc/v2/thread.js";
import { type Goal, readGoal, writeGoal } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers of thread goals. Goals are stored and shown; the engine does not use them. */
export const goalHandlers = {
  "thread/goal/set": setGoal,
  "thread/goal/get": getGoal,
  "thread/goal/clear": clearGoal,
} satisfies Partial<V2Handlers>;

/** Notifies a client of the goal of a thread, or that there is none. */
export function notifyGoal(threadId: string, goal: Goal | undefined, connection: Connection): void {
  if (goal === undefined) connection.notify("thread/goal/cleared", { threadId });
  else {
    const shown = toThreadGoal(threadId, goal);
    connection.notify("thread/goal/updated", { threadId, turnId: null, goal: shown });
  }
}

async function setGoal(
  { threadId, objective, status, tokenBudget }: ThreadGoalSetParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadGoalSetResponse> {
  const { server } = connection;
  await assertKept(threadId, connection);
  const before = await readGoal(server.home, threadId);
  const wanted = objective?.trim() ?? before?.objective;
  if (wanted === undefined) {
    const message = `cannot update goal for thread ${threadId}: no goal exists`;
    throw new CodexError("invalid_request", message);
  }
  if (wanted === "") throw new CodexError("invalid_request", "goal objective must not be empty");
  const now = Math.floor(server.parts.clock.now() / 1000);
  const goal: Goal = {
    objective: wanted,
    status: status ?? before?.status ?? "active",
    tokenBudget: tokenBudget === undefined ? (before?.tokenBudget ?? null) : tokenBudget,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  await writeGoal(server.home, threadId, goal);
  const shown = toThreadGoal(threadId, goal);
  request.afterReply(() =>
    server.notifyAll("thread/goal/updated", { threadId, turnId: null, goal: shown }),
  );
  return { goal: shown };
}

async function getGoal(
  { threadId }: ThreadParams,
  connection: Connection,
): Promise<ThreadGoalGetResponse> {
  await assertKept(threadId, connection);
  const goal = await readGoal(connection.server.home, threadId);
  return { goal: goal === undefined ? null : toThreadGoal(threadId, goal) };
}

async function clearGoal(
  { threadId }: ThreadParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadGoalClearResponse> {
  const { server } = connection;
  await assertKept(threadId, connection);
  if ((await readGoal(server.home, threadId)) === undefined) return { cleared: false };
  await writeGoal(server.home, threadId, undefined);
  request.afterReply(() => server.notifyAll("thread/goal/cleared", { threadId }));
  return { cleared: true };
}

async function assertKept(threadId: string, { server }: Connection): Promise<void> {
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  if (live?.isEphemeral) {
    throw new CodexError("invalid_request", `ephemeral thread does not support goals: ${threadId}`);
  }
  if (live !== undefined || (await findAnyFile(server, threadId)) !== undefined) return;
  throw new CodexError("thread_not_found", `thread not found: ${threadId}`);
}

function toThreadGoal(threadId: string, goal: Goal): ThreadGoal {
  const { objective, status, tokenBudget, createdAt, updatedAt } = goal;
  return {
    threadId,
    objective,
    status: status as ThreadGoal["status"],
    tokenBudget,
    tokensUsed: 0,
    timeUsedSeconds: 0,
    createdAt,
    updatedAt,
  };
}
