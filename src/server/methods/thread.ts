import { existsSync } from "node:fs";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import type {
  ThreadParams,
  ThreadResponse,
  ThreadSetNameParams,
} from "../../protocol/rpc/v2/thread.js";
import {
  archiveThread,
  deleteThread,
  findRollout,
  readAgentThreads,
  setThreadName,
  unarchiveThread,
} from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { forgetThread } from "../organization/organization.js";
import { organizationPath } from "../organization/path.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/thread.js";
import {
  describe,
  describeLive,
  findAnyFile,
  findArchivedFile,
  findFile,
  readStored,
} from "./thread-view.js";

/** Handlers that archive, unarchive, delete and name threads. */
export const storeHandlers = {
  "thread/archive": archive,
  "thread/unarchive": unarchive,
  "thread/delete": remove,
  "thread/name/set": setName,
} satisfies Partial<V2Handlers>;

async function archive(
  { threadId }: ThreadParams,
  { server }: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  assertThreadId(threadId);
  if (server.fleet !== undefined) await server.fleet.archive(threadId.toLowerCase());
  else await archiveFile(threadId, server);
  request.afterReply(() => server.notifyAll("thread/archived", { threadId }));
  return {};
}

async function archiveFile(threadId: string, server: Server): Promise<void> {
  const path = await findFile(server, threadId);
  const agents = await readAgentThreads(path);
  await server.threads.find(threadId)?.close({ id: server.parts.newId() });
  await archiveThread(server.home, { id: threadId.toLowerCase(), path });
  await forAgents(agents, async (id) => {
    const file = await findRollout(server.home, id);
    if (file !== undefined) await archiveThread(server.home, { id, path: file });
  });
}

async function unarchive(
  { threadId }: ThreadParams,
  { server }: Connection,
  request: RpcRequest,
): Promise<ThreadResponse> {
  assertThreadId(threadId);
  const id = threadId.toLowerCase();
  if (server.fleet !== undefined) {
    const thread = await server.fleet.unarchive(id);
    request.afterReply(() => server.notifyAll("thread/unarchived", { threadId }));
    return { thread: await describeLive(thread, server, { turns: [] }) };
  }
  const archived = await findArchivedFile(server, threadId);
  const path = await unarchiveThread(server.home, { id, path: archived });
  await forAgents(await readAgentThreads(path), async (agent) => {
    const file = await findRollout(server.home, agent, { archived: true });
    if (file !== undefined) await unarchiveThread(server.home, { id: agent, path: file });
  });
  request.afterReply(() => server.notifyAll("thread/unarchived", { threadId }));
  const stored = await readStored(server, id, path);
  return { thread: describe({ id, live: undefined, stored }, server) };
}

/** Does something for the threads of helper agents; one that fails does not keep the others from it. */
async function forAgents(
  ids: readonly string[],
  action: (id: string) => Promise<void>,
): Promise<void> {
  await Promise.allSettled(ids.map(action));
}

/** Deletes a thread without confirmation, but not while a turn is running. */
async function remove(
  { threadId }: ThreadParams,
  { server }: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  if (live?.isBusy) {
    const message = `cannot delete thread ${threadId}: a turn runs in it; interrupt it first`;
    throw new CodexError("invalid_request", message);
  }
  if (server.fleet !== undefined) await server.fleet.remove(threadId.toLowerCase());
  else await deleteFile(threadId, server);
  request.afterReply(() => server.notifyAll("thread/deleted", { threadId }));
  return {};
}

async function deleteFile(threadId: string, server: Server): Promise<void> {
  const id = threadId.toLowerCase();
  const path = await findRollout(server.home, id);
  const archived = path === undefined;
  const file = path ?? (await findRollout(server.home, id, { archived }));
  if (file === undefined) {
    throw new CodexError("not_found", `no rollout found for thread id ${threadId}`);
  }
  await server.threads.find(threadId)?.close({ id: server.parts.newId() });
  await deleteThread(server.home, { id, path: file }, { archived });
  if (existsSync(organizationPath(server.home))) {
    await server.organization().change((state) => forgetThread(state, id));
  }
}

async function setName(
  { threadId, name: given }: ThreadSetNameParams,
  connection: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  const { server } = connection;
  const { parts, home } = server;
  assertThreadId(threadId);
  const name = given.trim();
  if (name === "") throw new CodexError("invalid_request", "thread name must not be empty");
  const live = server.threads.find(threadId);
  if (live?.isEphemeral) {
    const message = `ephemeral thread does not support metadata updates: ${threadId}`;
    throw new CodexError("invalid_request", message);
  }
  if (live !== undefined) {
    request.afterReply(() => {
      live.naming = nameLive(live, name, server);
    });
    return {};
  }
  if ((await findAnyFile(server, threadId)) === undefined) {
    throw new CodexError("not_found", `no rollout found for thread id ${threadId}`);
  }
  await setThreadName(home, threadId.toLowerCase(), { name, now: parts.clock.now() });
  request.afterReply(() => server.notifyAll("thread/name/updated", { threadId, threadName: name }));
  return {};
}

/** Names a live thread. Its subscribers are notified by the thread, other clients here. */
async function nameLive(thread: Thread, name: string, server: Server): Promise<void> {
  const { id: threadId } = thread;
  const op = { type: "set_thread_name", name } as const;
  try {
    await thread.request(op, server.parts.newId(), "thread_name_updated");
    server.notifyUnsubscribed(threadId, "thread/name/updated", { threadId, threadName: name });
  } catch (error) {
    // The reply has been sent, so a failure is reported to all clients.
    const message = errorText(error);
    server.notifyAll("warning", { threadId, message });
  }
}
