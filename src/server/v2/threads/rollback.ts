import type { RpcRequest } from "../../../jsonrpc/index.js";
import { CodexError } from "../../../protocol/error.js";
import type { ThreadResponse } from "../../../protocol/rpc/v2/thread.js";
import type {
  ThreadRevertParams,
  ThreadRevertResponse,
  ThreadRollbackParams,
} from "../../../protocol/rpc/v2/thread-history.js";
import { historyOf, readAllTurns } from "../../history/history.js";
import type { Thread } from "../../thread/index.js";
import type { V2Connection, V2Handlers } from "../connection.js";
import { describeLive } from "./describe.js";

/** The methods that take turns back; what these did to files stays. */
export const rollbackHandlers = {
  "thread/rollback": rollBack,
  "thread/revert": revert,
} satisfies Partial<V2Handlers>;

async function rollBack(
  { threadId, numTurns }: ThreadRollbackParams,
  connection: V2Connection,
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
  connection: V2Connection,
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

async function takeBack(
  thread: Thread,
  num_turns: number,
  { server }: V2Connection,
): Promise<void> {
  // Whoever listens hears of it before the reply, as with the reference.
  server.feeds.of(thread);
  const op = { type: "thread_rollback", num_turns } as const;
  await thread.request(op, server.parts.newId(), "thread_rolled_back");
}
