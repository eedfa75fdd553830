import { isDeepStrictEqual } from "node:util";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { toDynamicTools } from "../../protocol/read/dynamic-tool.js";
import { parseResponseItem } from "../../protocol/read/index.js";
import type {
  ThreadResumeParams,
  ThreadResumeResponse,
} from "../../protocol/rpc/v2/thread-start.js";
import { findRollout } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { toCompletedReview } from "../feed/auto-review.js";
import { toThreadTokenUsage } from "../feed/status.js";
import { historyOf, readAllTurns } from "../history/history.js";
import type { Thread } from "../thread/thread.js";
import { notifyGoal } from "./goal.js";
import { assertOnlyProfile } from "./policy.js";
import {
  hydrationNotice,
  keepsPolicies,
  partsFor,
  toOpened,
  toSettingsOp,
} from "./thread-start.js";
import { describeLive, findFile, resolveFile } from "./thread-view.js";

/** Handler of `thread/resume`. */
export const resumeHandlers = {
  "thread/resume": resumeThread,
} satisfies Partial<V2Handlers>;

async function resumeThread(
  params: ThreadResumeParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadResumeResponse> {
  const { server } = connection;
  const { permissions, sandbox } = params;
  assertOnlyProfile({ permissions }, { sandbox });
  const found = await findLive(params, connection);
  const live = found && (await withTools(found, params, connection));
  const thread = live ?? (await loadThread(params, connection));
  if (live === undefined && params.history === undefined) notifyLoaded(thread, connection);
  const notifyState = await readState(thread, connection, params.after !== undefined);
  request.afterReply(() => {
    connection.subscribe(thread, { after: live === undefined ? 0 : params.after });
    if (params.after === undefined) connection.notifyRunning(thread);
    notifyState();
    if (live !== undefined) return;
    thread.submit({ type: "continue_thread" });
  });
  const source = historyOf(thread);
  const hidesTurns = params.excludeTurns === true || params.history !== undefined;
  if (!hidesTurns) connection.notify("deprecationNotice", hydrationNotice);
  const turns = hidesTurns || source === undefined ? [] : await readAllTurns(source);
  const wire = await describeLive(thread, server, { turns });
  const ends = source && (await server.history.ends(source.path));
  const { initialTurnsPage: asked } = params;
  const page = source && asked && (await server.history.turns(source, asked));
  return {
    ...toOpened(thread, wire),
    collaborationMode: modeOf(thread),
    initialTurnsPage: page ?? null,
    turnsBackwardsCursor: ends?.turns ?? null,
    itemsBackwardsCursor: ends?.items ?? null,
  };
}

/** Notifies all clients that a thread is loaded, before the reply, as the reference does. */
function notifyLoaded({ id: threadId }: Thread, { server }: Connection): void {
  server.notifyAll("thread/status/changed", { threadId, status: { type: "idle" } });
}

/** Returns a function that sends the notifications after `thread/resume`: token usage, goal and denials. */
async function readState(
  thread: Thread,
  connection: Connection,
  isReconnect: boolean,
): Promise<() => void> {
  const { id: threadId, state } = thread;
  const { usage } = state;
  const { parts, history } = connection.server;
  const source = historyOf(thread);
  const turnId = source && (await history.lastTurnId(source.path));
  return () => {
    if (parts.era.since["0.166"] && usage !== undefined && turnId !== undefined) {
      const tokenUsage = toThreadTokenUsage(usage);
      connection.notify("thread/tokenUsage/updated", { threadId, turnId, tokenUsage });
    }
    notifyGoal(threadId, state.work.goal, connection);
    // The reference forgets them.
    if (isReconnect || !parts.era.since.current) return;
    for (const denial of state.denials.values()) {
      const review = toCompletedReview(denial, threadId);
      connection.notify("item/autoApprovalReview/completed", review);
    }
  };
}

/** Returns the thread if it is loaded; it keeps its settings, whatever the params say. */
async function findLive(
  { threadId, path, history }: ThreadResumeParams,
  { server }: Connection,
): Promise<Thread | undefined> {
  const live = history === undefined ? server.threads.find(threadId) : undefined;
  if (live === undefined || path === undefined || path === "") return live;
  if (await live.isStoredAt(path)) return live;
  const message =
    `cannot resume running thread ${threadId} with stale path: requested \`${path}\`, ` +
    `active \`${live.configured.rollout_path}\``;
  throw new CodexError("invalid_request", message);
}

/**
 * Returns a loaded thread if it has the tools of the client, and `undefined` once it is unloaded because it
 * has others. Throws if it cannot be unloaded.
 */
async function withTools(
  live: Thread,
  { threadId, dynamicTools }: ThreadResumeParams,
  { server }: Connection,
): Promise<Thread | undefined> {
  if (dynamicTools === undefined) return live;
  const asked = toDynamicTools(dynamicTools);
  if (isDeepStrictEqual(asked, live.dynamicTools ?? [])) return live;
  if (await server.unloader.unloadNow(live)) return undefined;
  const names = asked.map(({ name }) => `\`${name}\``).join(", ") || "none";
  throw new CodexError(
    "invalid_request",
    `Thread ${threadId} is in use and cannot change its tools (got ${names}); unsubscribe its clients first`,
  );
}

async function loadThread(params: ThreadResumeParams, connection: Connection): Promise<Thread> {
  const { server } = connection;
  const { dynamicTools } = params;
  const op = {
    ...toSettingsOp(params, server.parts.cwd),
    ...(dynamicTools === undefined ? {} : { dynamic_tools: toDynamicTools(dynamicTools) }),
  };
  if (params.history !== undefined) return startFrom(params.history, op, connection);
  const path = params.path
    ? await resolveFile(server, params.path)
    : await findById(params, connection);
  const keeps = { keeps_policies: await keepsPolicies(path, server) };
  const thread = await server.threads.load(path, { ...op, ...keeps }, partsFor(connection));
  thread.dropInitialMessages();
  return thread;
}

async function findById({ threadId }: ThreadResumeParams, { server }: Connection): Promise<string> {
  assertThreadId(threadId);
  try {
    return await findFile(server, threadId);
  } catch (error) {
    const archived = await findRollout(server.home, threadId, { archived: true });
    if (archived === undefined) throw error;
    const message =
      `session ${threadId} is archived. Run \`codex unarchive ${threadId}\` to unarchive it ` +
      "first.";
    throw new CodexError("invalid_request", message);
  }
}

/** Starts a new thread with the history that a client sends. */
async function startFrom(
  history: readonly unknown[],
  op: ReturnType<typeof toSettingsOp>,
  connection: Connection,
): Promise<Thread> {
  const { parts, threads } = connection.server;
  if (history.length === 0) throw new CodexError("invalid_request", "history must not be empty");
  const items = history.map((item) => parseResponseItem(item));
  const thread = await threads.start({ cwd: parts.cwd, ...op }, partsFor(connection));
  const inject = { type: "inject_items", response_items: items } as const;
  await thread.request(inject, parts.newId(), "submission_accepted");
  return thread;
}

function modeOf({ settings }: Thread): ThreadResumeResponse["collaborationMode"] {
  const { collaborationMode, model, effort } = settings;
  return {
    mode: collaborationMode?.mode ?? "default",
    settings: {
      model,
      reasoning_effort: effort ?? null,
      developer_instructions: collaborationMode?.settings?.developer_instructions ?? null,
    },
  };
}
