import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  ThreadGoalClearResponse,
  ThreadGoalGetResponse,
  ThreadGoalSetParams,
  ThreadGoalSetResponse,
} from "../../protocol/rpc/v2/goal.js";
import type { ThreadParams } from "../../protocol/rpc/v2/thread.js";
import type { EventMsg, Goal } from "../../protocol/types.js";
import { appendToThread, readConversation, writerLockPath } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { toThreadGoal } from "../feed/work.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/thread.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers of thread goals. */
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
  { server }: Connection,
  request: RpcRequest,
): Promise<ThreadGoalSetResponse> {
  const found = await findThread(threadId, server);
  await assertGoals(found.live?.settings.cwd, server);
  const change = { objective, status, tokenBudget };
  if (found.live === undefined) {
    const { changeGoal } = await import("../../engine/follow-ups/goal-change.js");
    const before = (await readConversation(found.path)).work.goal;
    const goal = changeGoal(before, change, { threadId, now: server.parts.clock.now() });
    await append({ type: "thread_goal_updated", threadId, goal }, found.path, threadId, server);
    const shown = toThreadGoal(threadId, goal);
    request.afterReply(() =>
      server.notifyAll("thread/goal/updated", { threadId, turnId: null, goal: shown }),
    );
    return { goal: shown };
  }
  const op = {
    type: "set_thread_goal" as const,
    ...(objective === undefined ? {} : { objective }),
    ...(status === undefined ? {} : { status }),
    ...(tokenBudget === undefined ? {} : { token_budget: tokenBudget }),
  };
  server.feeds.of(found.live);
  return found.live.ask(op, server.parts.newId(), "thread_goal_updated", ({ goal }) => {
    const shown = toThreadGoal(threadId, goal);
    request.reply({ goal: shown });
    const params = { threadId, turnId: null, goal: shown };
    server.notifyUnsubscribed(threadId, "thread/goal/updated", params);
    return { goal: shown };
  });
}

/** Throws if the settings or the administrator disable goals. */
async function assertGoals(cwd: string | undefined, server: Server): Promise<void> {
  const { loadConfig } = server.parts;
  const { features } = await loadConfig({ type: "configure_session", ...(cwd && { cwd }) });
  if (features.get("goals") !== false) return;
  throw new CodexError("invalid_request", "goals feature is disabled");
}

async function getGoal(
  { threadId }: ThreadParams,
  { server }: Connection,
): Promise<ThreadGoalGetResponse> {
  const { live, path } = await findThread(threadId, server);
  const work = live === undefined ? (await readConversation(path)).work : live.state.work;
  return { goal: work.goal === undefined ? null : toThreadGoal(threadId, work.goal) };
}

async function clearGoal(
  { threadId }: ThreadParams,
  { server }: Connection,
  request: RpcRequest,
): Promise<ThreadGoalClearResponse> {
  const { live, path } = await findThread(threadId, server);
  if (live === undefined) {
    if ((await readConversation(path)).work.goal === undefined) return { cleared: false };
    await append({ type: "thread_goal_cleared", threadId }, path, threadId, server);
    request.afterReply(() => server.notifyAll("thread/goal/cleared", { threadId }));
    return { cleared: true };
  }
  if (live.state.work.goal === undefined) return { cleared: false };
  server.feeds.of(live);
  const op = { type: "clear_thread_goal" } as const;
  return live.ask(op, server.parts.newId(), "thread_goal_cleared", () => {
    request.reply({ cleared: true });
    server.notifyUnsubscribed(threadId, "thread/goal/cleared", { threadId });
    return { cleared: true };
  });
}

/** A live thread, or the file of one that is not loaded. */
type FoundThread = { live: Thread; path?: undefined } | { live?: undefined; path: string };

async function findThread(threadId: string, server: Server): Promise<FoundThread> {
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  if (live?.isEphemeral) {
    throw new CodexError("invalid_request", `ephemeral thread does not support goals: ${threadId}`);
  }
  if (live !== undefined) return { live };
  const path = await findAnyFile(server, threadId);
  if (path !== undefined) return { path };
  throw new CodexError("thread_not_found", `thread not found: ${threadId}`);
}

function append(
  msg: EventMsg,
  path: string,
  threadId: string,
  { home, parts }: Server,
): Promise<void> {
  const lock = writerLockPath(home, threadId.toLowerCase());
  return appendToThread(msg, { path, lock, now: () => parts.clock.now() });
}
