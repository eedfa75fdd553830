import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  QueuedSubmission,
  ThreadQueueAddParams,
  ThreadQueueAddResponse,
  ThreadQueueDeleteParams,
  ThreadQueueDeleteResponse,
  ThreadQueueListParams,
  ThreadQueueListResponse,
  ThreadQueueReorderParams,
  ThreadQueueStartParams,
  ThreadQueueUpdateParams,
} from "../../protocol/rpc/v2/queue.js";
import type { TurnStartResponse } from "../../protocol/rpc/v2/turn.js";
import type { Op, QueuedInput } from "../../protocol/types.js";
import { readConversation } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { startedTurn } from "../feed/turn.js";
import { toInputItem, toUserInput } from "../items/messages.js";
import { pageOf } from "./page.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers of the queue of a thread. Each replies before its change is reported. */
export const queueHandlers = {
  "thread/queue/add": add,
  "thread/queue/list": list,
  "thread/queue/update": update,
  "thread/queue/delete": remove,
  "thread/queue/reorder": reorder,
  "thread/queue/start": start,
} satisfies Partial<V2Handlers>;

function add(
  { threadId, input, clientUserMessageId }: ThreadQueueAddParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadQueueAddResponse> {
  const id = connection.server.parts.newId();
  const items = input.map(toInputItem);
  const queued = { id, items, client_id: clientUserMessageId };
  const op = { type: "queue_add" as const, ...queued };
  const result = { queuedSubmission: toSubmission(queued) };
  return ask(op, { threadId, connection, request }, () => result);
}

async function list(
  { threadId, cursor, limit }: ThreadQueueListParams,
  { server }: Connection,
): Promise<ThreadQueueListResponse> {
  assertThreadId(threadId);
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    const message = "invalid queue pagination cursor: invalid digit found in string";
    throw new CodexError("invalid_request", message);
  }
  const queue = server.threads.find(threadId)?.state.work.queue ?? (await read());
  return pageOf(queue.map(toSubmission), { cursor, limit }, "queued submissions");

  async function read(): Promise<readonly QueuedInput[]> {
    const path = await findAnyFile(server, threadId);
    if (path !== undefined) return (await readConversation(path)).work.pending;
    const reason = `invalid thread-store request: no rollout found for thread id ${threadId}`;
    throw new RpcError(rpcCodes.internal, `failed to read thread: ${reason}`);
  }
}

function update(
  { threadId, queuedSubmissionId: id, input }: ThreadQueueUpdateParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadQueueAddResponse> {
  const items = input.map(toInputItem);
  const before = connection.thread(threadId).state.work.queue.find((one) => one.id === id);
  const queuedSubmission = toSubmission({ id, items, client_id: before?.client_id ?? null });
  const op = { type: "queue_update" as const, id, items };
  return ask(op, { threadId, connection, request }, () => ({ queuedSubmission }));
}

function remove(
  { threadId, queuedSubmissionId: id }: ThreadQueueDeleteParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadQueueDeleteResponse> {
  const deleted = connection.thread(threadId).state.work.queue.some((one) => one.id === id);
  const op = { type: "queue_delete" as const, id };
  return ask(op, { threadId, connection, request }, () => ({ deleted }));
}

function reorder(
  { threadId, queuedSubmissionIds: ids }: ThreadQueueReorderParams,
  connection: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  return ask({ type: "queue_reorder", ids }, { threadId, connection, request }, () => ({}));
}

function start(
  { threadId, queuedSubmissionId: id }: ThreadQueueStartParams,
  connection: Connection,
  request: RpcRequest,
): Promise<TurnStartResponse> {
  const op = { type: "queue_start" as const, ...(id === undefined ? {} : { id }) };
  return ask(op, { threadId, connection, request }, (turnId) => ({ turn: startedTurn(turnId) }));
}

interface Asked {
  threadId: string;
  connection: Connection;
  request: RpcRequest;
}

/** Submits an op and replies when the engine accepts it, before later events are reported. */
async function ask<Result>(
  op: Op,
  { threadId, connection, request }: Asked,
  toResult: (turnId: string) => Result,
): Promise<Result> {
  const thread = connection.thread(threadId);
  const { server } = connection;
  server.feeds.of(thread);
  connection.subscribe(thread);
  return thread.ask(op, server.parts.newId(), "submission_accepted", ({ turn_id = "" }) => {
    const result = toResult(turn_id);
    request.reply(result);
    return result;
  });
}

function toSubmission({ id, items, client_id }: QueuedInput): QueuedSubmission {
  return { id, input: items.map(toUserInput), clientUserMessageId: client_id ?? "" };
}
