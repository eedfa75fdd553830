import { CodexError } from "../../../protocol/error.js";
import type { ThreadResponse } from "../../../protocol/rpc/v2/thread.js";
import type {
  ThreadItemsListParams,
  ThreadItemsListResponse,
  ThreadReadParams,
  ThreadTurnsListParams,
  TurnsPage,
} from "../../../protocol/rpc/v2/thread-history.js";
import { toEraItem, toEraTurn } from "../../feed/projection.js";
import { type HistorySource, historyOf, readAllTurns } from "../../history/history.js";
import type { V2Connection, V2Handlers } from "../connection.js";
import { assertThreadId } from "../thread-id.js";
import { describe, describeLive } from "./describe.js";
import { findAnyFile, readStored } from "./stored.js";

/** The methods that show threads without loading them. */
export const readHandlers = {
  "thread/read": readThread,
  "thread/turns/list": listTurns,
  "thread/items/list": listItems,
} satisfies Partial<V2Handlers>;

async function readThread(
  { threadId, includeTurns = false }: ThreadReadParams,
  connection: V2Connection,
): Promise<ThreadResponse> {
  const { server } = connection;
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  await live?.naming; // whoever was told that it has a name reads that name
  if (live !== undefined && !includeTurns) return { thread: await describeLive(live, server) };
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
  return { thread: describe({ id: threadId, live, stored }, server, { turns }) };
}

async function listTurns(
  { threadId, ...params }: ThreadTurnsListParams,
  connection: V2Connection,
): Promise<TurnsPage> {
  const { history, parts } = connection.server;
  const source = await findHistory(threadId, connection, "thread/turns/list");
  const page = await history.turns(source, params);
  return { ...page, data: page.data.map((turn) => toEraTurn(turn, parts.era.v2)) };
}

async function listItems(
  { threadId, ...params }: ThreadItemsListParams,
  connection: V2Connection,
): Promise<ThreadItemsListResponse> {
  const { history, parts } = connection.server;
  const source = await findHistory(threadId, connection, "thread/items/list");
  const page = await history.items(source, params);
  const data = page.data.map((entry) => ({
    ...entry,
    item: toEraItem(entry.item, parts.era.v2),
  }));
  return { ...page, data };
}

/** Where the history of a thread is read, whether it is loaded or not. */
async function findHistory(
  threadId: string,
  connection: V2Connection,
  method: string,
): Promise<HistorySource> {
  assertThreadId(threadId);
  const live = connection.server.threads.find(threadId);
  if (live?.isEphemeral) {
    throw new CodexError("invalid_request", `ephemeral threads do not support ${method}`);
  }
  return (await findStored(threadId, connection)).source;
}

async function findStored(threadId: string, { server }: V2Connection) {
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
