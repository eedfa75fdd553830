import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { parseResponseItem } from "../../protocol/read/index.js";
import type { ThreadParams, ThreadUnsubscribeResponse } from "../../protocol/rpc/v2/thread.js";
import type {
  ThreadInjectItemsParams,
  ThreadShellCommandParams,
} from "../../protocol/rpc/v2/thread-settings.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";

/** Handlers for live threads: compaction, shell commands, injected items and unsubscribing. */
export const liveHandlers = {
  "thread/compact/start": compact,
  "thread/shellCommand": runCommand,
  "thread/inject_items": inject,
  "thread/unsubscribe": unsubscribe,
} satisfies Partial<V2Handlers>;

/** Starts compaction; interrupts the running turn, as in the reference. */
function compact(
  { threadId }: ThreadParams,
  connection: Connection,
  request: RpcRequest,
): Record<string, never> {
  const thread = connection.thread(threadId);
  const { parts } = connection.server;
  request.afterReply(() => {
    connection.subscribe(thread);
    if (thread.isBusy) thread.submit({ type: "interrupt" });
    thread.submit({ type: "compact" }, parts.newId(), request.trace);
  });
  return {};
}

function runCommand(
  { threadId, command, timeoutMs }: ThreadShellCommandParams,
  connection: Connection,
  request: RpcRequest,
): Record<string, never> {
  const thread = connection.thread(threadId);
  const { parts } = connection.server;
  if (command.trim() === "") {
    throw new CodexError("invalid_request", "command must not be empty");
  }
  const limit = timeoutMs === undefined ? {} : { timeout_ms: timeoutMs };
  request.afterReply(() => {
    connection.subscribe(thread);
    const op = { type: "run_user_shell_command", command, ...limit } as const;
    thread.submit(op, parts.newId(), request.trace);
  });
  return {};
}

async function inject(
  { threadId, items }: ThreadInjectItemsParams,
  connection: Connection,
): Promise<Record<string, never>> {
  const thread = connection.thread(threadId);
  const { parts } = connection.server;
  if (items.length === 0) throw new CodexError("invalid_request", "items must not be empty");
  const response_items = items.map((item) => parseResponseItem(item));
  const op = { type: "inject_items", response_items } as const;
  await thread.request(op, parts.newId(), "submission_accepted");
  return {};
}

function unsubscribe(
  { threadId }: ThreadParams,
  connection: Connection,
): ThreadUnsubscribeResponse {
  assertThreadId(threadId);
  const { server } = connection;
  const thread = server.threads.find(threadId);
  if (thread === undefined) return { status: "notLoaded" };
  return { status: connection.unsubscribe(thread.id) ? "unsubscribed" : "notSubscribed" };
}
