import { CodexError } from "../../protocol/error.js";
import type {
  ThreadBackgroundTerminalsListParams,
  ThreadBackgroundTerminalsListResponse,
  ThreadBackgroundTerminalsTerminateParams,
  ThreadBackgroundTerminalsTerminateResponse,
} from "../../protocol/rpc/v2/background-terminals.js";
import type { ThreadParams } from "../../protocol/rpc/v2/thread.js";
import type { Connection, V2Handlers } from "../connection.js";
import { pageOf } from "./page.js";

/** Handlers of commands that outlive their turn. */
export const backgroundTerminalHandlers = {
  "thread/backgroundTerminals/list": list,
  "thread/backgroundTerminals/terminate": terminate,
  "thread/backgroundTerminals/clean": clean,
} satisfies Partial<V2Handlers>;

async function list(
  { threadId, cursor, limit }: ThreadBackgroundTerminalsListParams,
  connection: Connection,
): Promise<ThreadBackgroundTerminalsListResponse> {
  const thread = connection.thread(threadId);
  if (cursor !== undefined) assertNumber(cursor, "invalid cursor");
  const { newId } = connection.server.parts;
  const op = { type: "list_background_commands" } as const;
  const { commands } = await thread.request(op, newId(), "background_commands");
  const all = commands.map((running) => ({
    itemId: running.call_id ?? "",
    processId: running.process_id,
    command: running.command,
    cwd: running.cwd,
    osPid: null,
    cpuPercent: null,
    rssKb: null,
    startedAtMs: running.started_at_ms,
  }));
  return pageOf(all, { cursor, limit }, "background terminals");
}

async function terminate(
  { threadId, processId }: ThreadBackgroundTerminalsTerminateParams,
  connection: Connection,
): Promise<ThreadBackgroundTerminalsTerminateResponse> {
  const thread = connection.thread(threadId);
  assertNumber(processId, "invalid background terminal process id");
  const { newId } = connection.server.parts;
  const op = { type: "end_background_commands", process_id: processId } as const;
  const { process_ids } = await thread.request(op, newId(), "background_commands_ended");
  return { terminated: process_ids.length > 0 };
}

async function clean(
  { threadId }: ThreadParams,
  connection: Connection,
): Promise<Record<string, never>> {
  const thread = connection.thread(threadId);
  const op = { type: "end_background_commands" } as const;
  await thread.request(op, connection.server.parts.newId(), "background_commands_ended");
  return {};
}

function assertNumber(text: string, problem: string): void {
  if (/^\d{1,15}$/.test(text)) return;
  const reason =
    text === "" ? "cannot parse integer from empty string" : "invalid digit found in string";
  throw new CodexError("invalid_request", `${problem}: ${reason}`);
}
