import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ThreadForkParams, ThreadStartResponse } from "../../protocol/rpc/v2/thread-start.js";
import type { ConfigureSessionOp, SessionMetaLine } from "../../protocol/types.js";
import {
  type ForkedConversation,
  type ForkPoint,
  forkConversation,
  rolloutPath,
  writeForkFile,
} from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { historyOf, readAllTurns } from "../history/history.js";
import type { Thread } from "../thread/thread.js";
import {
  announce,
  hydrationNotice,
  keepsPolicies,
  partsFor,
  toOpened,
  toSettingsOp,
} from "./thread-start.js";
import { describeLive, findFile, resolveFile } from "./thread-view.js";

/** Handler of `thread/fork`. */
export const forkHandlers = {
  "thread/fork": forkThread,
} satisfies Partial<V2Handlers>;

async function forkThread(
  params: ThreadForkParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadStartResponse> {
  const { server } = connection;
  if (!params.excludeTurns) connection.notify("deprecationNotice", hydrationNotice);
  const path = await sourceOf(params, connection);
  const thread = await copyThread(path, params, connection);
  const source = historyOf(thread);
  const turns = params.excludeTurns || !source ? [] : await readAllTurns(source);
  const wire = await describeLive(thread, server, { turns });
  announce(thread, wire, connection, request);
  return toOpened(thread, wire);
}

/** Forks a recorded thread, completely or up to a turn, and loads the fork. */
export async function copyThread(
  path: string,
  params: Omit<ThreadForkParams, "threadId" | "path">,
  connection: Connection,
): Promise<Thread> {
  const { threads, parts } = connection.server;
  const fork = await forkConversation(path, pointOf(params)).catch(toV2Error);
  const keeps_policies = await keepsPolicies(path, connection.server);
  const op = { ...toSettingsOp(params, parts.cwd), is_copy: true, keeps_policies };
  const startFrom = (file: string) =>
    threads.start({ ...op, resume_path: file, ephemeral: true }, partsFor(connection));
  const thread = params.ephemeral
    ? await withDraft(fork, startFrom)
    : await threads.load(await writeCopy(fork, op, connection), op, partsFor(connection));
  thread.dropInitialMessages();
  thread.purpose = params.threadSource;
  thread.copyOf = fork.sourceId;
  return thread;
}

async function sourceOf(
  { threadId, path }: ThreadForkParams,
  { server }: Connection,
): Promise<string> {
  if (path) return resolveFile(server, path);
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  const own = live?.configured.rollout_path;
  return own ? own : findFile(server, threadId);
}

function pointOf({
  lastTurnId,
  beforeTurnId,
}: ThreadForkParams | Partial<ThreadForkParams>): ForkPoint {
  if (lastTurnId !== undefined && beforeTurnId !== undefined) {
    const message = "`lastTurnId` and `beforeTurnId` exclude each other: give one of them.";
    throw new CodexError("invalid_request", message);
  }
  if (lastTurnId !== undefined) return { type: "through_turn", turnId: lastTurnId };
  if (beforeTurnId !== undefined) return { type: "before_turn", turnId: beforeTurnId };
  return { type: "end" };
}

function toV2Error(error: unknown): never {
  const turnId = error instanceof CodexError ? error.data?.turn_id : undefined;
  if (typeof turnId !== "string") throw error;
  throw new CodexError("not_found", `turn not found: ${turnId}`, { data: { turnId } });
}

/** Writes the rollout file of the fork; returns its path. */
async function writeCopy(
  fork: ForkedConversation,
  op: Omit<ConfigureSessionOp, "type">,
  connection: Connection,
): Promise<string> {
  const { parts, home } = connection.server;
  const meta = { ...metaOf(fork, connection), ...(await providerOf(fork, op, connection)) };
  const path = rolloutPath(home, new Date(parts.clock.now()), meta.id);
  await writeForkFile(fork, { path, meta, now: parts.clock.now });
  return path;
}

/** Returns the provider of a fork whose source is too old to name one: other versions require it. */
async function providerOf(
  { conversation }: ForkedConversation,
  op: Omit<ConfigureSessionOp, "type">,
  { server: { parts } }: Connection,
): Promise<Pick<SessionMetaLine, "model_provider">> {
  if (conversation.meta.model_provider || !parts.era.engine.recordsTasks) return {};
  return {
    model_provider: (await parts.loadConfig({ type: "configure_session", ...op })).provider.id,
  };
}

/** Loads an ephemeral fork from a temporary file. */
async function withDraft<Result>(
  fork: ForkedConversation,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "quire-fork-"));
  try {
    const path = join(folder, "rollout.jsonl");
    await writeForkFile(fork, { path, meta: fork.conversation.meta, now: Date.now });
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the metadata of the fork: the client that forks is its originator. */
function metaOf({ conversation }: ForkedConversation, connection: Connection): SessionMetaLine {
  const { parts } = connection.server;
  return {
    ...conversation.meta,
    id: parts.newId(),
    timestamp: new Date(parts.clock.now()).toISOString(),
    originator: connection.client?.name ?? parts.originator,
    cli_version: parts.era.compatibleWith,
    ...(parts.era.engine.recordsTasks ? { source: "vscode" } : {}),
  };
}
