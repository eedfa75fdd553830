import { connectAppServer } from "../client/index.js";
import { codexHome } from "../config/index.js";
import { systemClock } from "../lib/clock.js";
import { randomUuid } from "../lib/ids.js";
import { CodexError } from "../protocol/error.js";
import type { QueuedSubmission } from "../protocol/rpc/v2/queue.js";
import { appendToThread, findRollout, writerLockPath } from "../rollout/index.js";
import type { CommandIo } from "./command.js";
import { requireEra } from "./identity.js";

/** A message for the queue of a thread. */
interface QueueRequest {
  threadId: string;
  message: string;
  /** Server that has the thread; else it is queued in the file of the thread. */
  remote?: { url: string; token?: string };
}

/** Queues a message; the server starts its turn at once if the thread is idle. */
export async function queueMessage(
  { threadId, message, remote }: QueueRequest,
  io: CommandIo,
): Promise<QueuedSubmission> {
  const id = randomUuid();
  const input = [{ type: "text" as const, text: message, text_elements: [] }];
  if (remote === undefined) {
    await store(threadId, { id, message }, io);
    return { id, input, clientUserMessageId: id };
  }
  const version = requireEra(io.env).compatibleWith;
  const clientInfo = { name: "quire_queue", title: "Quire queue", version };
  const { url, token } = remote;
  const options = { clientInfo, signal: io.signal, ...(token === undefined ? {} : { token }) };
  const client = await connectAppServer(url, options);
  try {
    const params = { threadId, input, clientUserMessageId: id };
    return (await client.request("thread/queue/add", params)).queuedSubmission;
  } finally {
    await client.close();
  }
}

async function store(
  threadId: string,
  { id, message }: { id: string; message: string },
  { env }: CommandIo,
): Promise<void> {
  const home = codexHome(env);
  const path = await findRollout(home, threadId);
  if (path === undefined) throw new CodexError("thread_not_found", `thread not found: ${threadId}`);
  const items = [{ type: "text" as const, text: message }];
  const input = { id, items, client_id: id };
  const msg = { type: "thread_queue_changed" as const, change: { type: "added" as const, input } };
  const lock = writerLockPath(home, threadId.toLowerCase());
  await appendToThread(msg, { path, lock, now: () => systemClock.now() });
}
