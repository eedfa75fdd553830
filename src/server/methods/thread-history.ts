import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ThreadResponse } from "../../protocol/rpc/v2/thread.js";
import type {
  ThreadItemsListParams,
  ThreadItemsListResponse,
  ThreadReadParams,
  ThreadReadResponse,
  ThreadRevertParams,
  ThreadRevertResponse,
  ThreadRollbackParams,
  ThreadTurnsListParams,
  TurnsPage,
} from "../../protocol/rpc/v2/thread-history.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { type HistorySource, historyOf, readAllTurns } from "../history/history.js";
import type { Thread } from "../thread/thread.js";
import { describe, describeLive, findAnyFile, readStored } from "./thread-view.js";

/** Handlers that read threads without loading them. */
export const readHandlers = {
  "thread/read": readThread,
  "thread/turns/list": listTurns,
  "thread/items/list": listItems,
} satisfies Partial<V2Handlers>;

async function readThread(
  { threadId, includeTurns = false }: ThreadReadParams,
  connection: Connection,
): Promise<ThreadReadResponse> {
  const { server } = connection;
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  await live?.naming; // a client that was notified of a name must read that name
  const id = threadId.toLowerCase();
  const readState = (await server.readStates.of([id]))[id] ?? null;
  if (live !== undefined && !includeTurns) {
    return { thread: await describeLive(live, server), readState };
  }
  if (live?.isEphemeral) {
    throw new CodexError("invalid_request", "ephemeral threads do not support includeTurns");
  }
  const { source, stored } = await findStored(threadId, connection);
  const isNamed = stored.name !== undefined || live?.naming !== undefined;
  if (includeTurns && stored.facts === undefined && !isNamed) {
    const message =
      `thread ${threadId} is not materialized yet; includeTurns is unavailable before first ` +
      "user message";
    throw new CodexError("invalid_request", message);
  }
  const turns = includeTurns ? await readAllTurns(source) : [];
  return { thread: describe({ id: threadId, live, stored }, server, { turns }), readState };
}

async function listTurns(
  { threadId, ...params }: ThreadTurnsListParams,
  connection: Connection,
): Promise<TurnsPage> {
  const { history } = connection.server;
  const source = await findHistory(threadId, connection, "thread/turns/list");
  return history.turns(source, params);
}

async function listItems(
  { threadId, ...params }: ThreadItemsListParams,
  connection: Connection,
): Promise<ThreadItemsListResponse> {
  const { history } = connection.server;
  const source = await findHistory(threadId, connection, "thread/items/list");
  return history.items(source, params);
}

/** Returns the source of a thread's history, loaded or not. */
async function findHistory(
  threadId: string,
  connection: Connection,
  method: string,
): Promise<HistorySource> {
  assertThreadId(threadId);
  const live = connection.server.threads.find(threadId);
  if (live?.isEphemeral) {
    throw new CodexError("invalid_request", `ephemeral threads do not support ${method}`);
  }
  return (await findStored(threadId, connection)).source;
}

async function findStored(threadId: string, { server }: Connection) {
  const live = server.threads.find(threadId);
  const source = live && historyOf(live);
  const path = source?.path ?? (await findAnyFile(server, threadId));
  const stored = path === undefined ? undefined : await readStored(server, threadId, path);
  if (path === undefined || stored === undefined) {
    const data = { id: threadId };
    throw new CodexError("thread_not_found", `thread not loaded: ${threadId}`, { data });
  }
  return { source: source ?? { path, runningId: undefined }, stored };
}

/** Handlers that roll back turns. Changes to files are not reverted. */
export const rollbackHandlers = {
  "thread/rollback": rollBack,
  "thread/revert": revert,
} satisfies Partial<V2Handlers>;

async function rollBack(
  { threadId, numTurns }: ThreadRollbackParams,
  connection: Connection,
): Promise<ThreadResponse> {
  const { server } = connection;
  const thread = connection.thread(threadId);
  await takeBack(thread, numTurns, connection);
  const source = historyOf(thread);
  const turns = source === undefined ? [] : await readAllTurns(source);
  return { thread: await describeLive(thread, server, { turns }) };
}

async function revert(
  { threadId, beforeTurnId }: ThreadRevertParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadRevertResponse> {
  const { server } = connection;
  const thread = connection.thread(threadId);
  const source = historyOf(thread);
  if (source === undefined) {
    throw new CodexError("invalid_request", "ephemeral threads do not support thread/revert");
  }
  await takeBack(thread, await server.history.countFrom(source.path, beforeTurnId), connection);
  request.afterReply(() => server.notifyAll("thread/reverted", { threadId }));
  const ends = await server.history.ends(source.path);
  return {
    thread: await describeLive(thread, server),
    turnsBackwardsCursor: ends.turns,
    itemsBackwardsCursor: ends.items,
  };
}

async function takeBack(thread: Thread, num_turns: number, { server }: Connection): Promise<void> {
  // Subscribers are notified before the reply, as in the reference.
  server.feeds.of(thread);
  const op = { type: "thread_rollback", num_turns } as const;
  await thread.request(op, server.parts.newId(), "thread_rolled_back");
}
