import { codexApiKey } from "../../auth/index.js";
import {
  type AppServerClient,
  connectAppServer,
  type ResultOf,
  RpcError,
  rpcCodes,
  type ServerRequestHandlers,
} from "../../client/index.js";
import type { Era } from "../../compat/index.js";
import type { Cassette } from "../../model/index.js";
import { permissionLines } from "../../protocol/permissions-text.js";
import type { CommandIo } from "../command.js";
import type { ExecRequest } from "./exec-request.js";
import type { ResumeChoice } from "./find-thread.js";

/** Connects to the server of the session: a remote one, or one in this process. */
export async function connectExec(
  request: ExecRequest,
  io: CommandIo,
  era: Era,
  handlers: ServerRequestHandlers,
): Promise<AppServerClient> {
  const { remote, thread, ignoresUserConfig, bypassesHookTrust } = request;
  const clientInfo = { name: "codex_exec", title: "Quire exec", version: era.compatibleWith };
  const options = { clientInfo, handlers, signal: io.signal };
  const { originator, reportsClient } = era.execJson;
  const host = { source: "exec", originator, isClient: reportsClient } as const;
  if (remote?.fleet !== undefined) {
    const { startInProcessGateway } = await import("../../fleet/gateway/index.js");
    const address = { url: remote.url, ...remote.fleet };
    return connectAppServer(
      await startInProcessGateway(address, { env: io.env, era, host }),
      options,
    );
  }
  if (remote !== undefined) {
    const { url, token } = remote;
    return connectAppServer(url, { ...options, ...(token === undefined ? {} : { token }) });
  }
  const { startInProcessAppServer } = await import("../../server/serve.js");
  const { env } = io;
  const apiKey = codexApiKey(env);
  const cassette = await openCassette(request, io);
  const channel = startInProcessAppServer({
    env,
    cwd: thread.cwd,
    era,
    host,
    apiKey,
    ignoresUserConfig,
    cassette,
    hooks: { untrusted: bypassesHookTrust ? "run" : "reject" },
  });
  return connectAppServer(channel, options);
}

/** Opens the cassette that the run records or replays, if any. */
async function openCassette(
  { replay }: ExecRequest,
  { record }: CommandIo,
): Promise<Cassette | undefined> {
  if (replay === undefined && record === undefined) return undefined;
  const { recordCassette, replayCassette } = await import("../../model/cassette/index.js");
  if (replay !== undefined) return replayCassette(replay.file, replay);
  return record && recordCassette(record.file, record);
}

/** Thread of a run: a new one, or one to resume. */
export type ThreadChoice = { kind: "new" } | ResumeChoice;

/** A started or resumed thread with its settings. */
export type OpenedThread = ResultOf<"thread/start">;

/** Starts or resumes the thread of a run. `close` ends the use of the worktree that it works in. */
export async function openThread(
  client: AppServerClient,
  choice: ThreadChoice,
  request: ExecRequest,
  io: CommandIo,
): Promise<{ opened: OpenedThread; close(): void }> {
  const { thread, ephemeral } = request;
  if (choice.kind === "new") {
    const params = { ...thread, ...(ephemeral ? { ephemeral } : {}) };
    return { opened: await client.request("thread/start", params, io.signal), close() {} };
  }
  const { findThread } = await import("./find-thread.js");
  const { threadId, worktree } = await findThread(client, choice, request, io);
  const close = worktree === undefined ? () => {} : await workIn(worktree, io);
  const { threadSource: _, ...settings } = thread; // only new threads have one
  const cwd = worktree?.cwd ?? settings.cwd;
  const params = { threadId, ...settings, cwd, excludeTurns: true };
  try {
    return { opened: await client.request("thread/resume", params, io.signal), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Keeps the worktree of the session that continues from being removed meanwhile. */
async function workIn({ path, cwd }: { path: string; cwd: string }, { stderr }: CommandIo) {
  const { useWorktree } = await import("../../project/kept-worktrees.js");
  stderr.write(`Working in ${cwd}, as this session did before\n`);
  return useWorktree({ path });
}

/** Called with a description of each declined request. */
type OnDeclined = (what: string) => void;

/** Handlers that decline every request of the server, as there is no user to ask. */
export function declineAll(onDeclined: OnDeclined): ServerRequestHandlers {
  return {
    "item/commandExecution/requestApproval": ({ command, reason }) => {
      onDeclined(`command \`${command ?? "?"}\`${because(reason)}`);
      return { decision: "decline" };
    },
    "item/fileChange/requestApproval": ({ reason, grantRoot }) => {
      onDeclined(`file changes${grantRoot ? ` in ${grantRoot}` : ""}${because(reason)}`);
      return { decision: "decline" };
    },
    "item/permissions/requestApproval": ({ permissions, reason }) => {
      onDeclined(
        `additional permissions: ${permissionLines(permissions).join(", ")}${because(reason)}`,
      );
      return { permissions: {}, scope: "turn" };
    },
    "mcpServer/elicitation/request": ({ serverName, message }) => {
      onDeclined(`question of MCP server ${serverName}: ${message}`);
      return { action: "decline", content: null, _meta: null };
    },
    "item/tool/requestUserInput": () => {
      onDeclined("question of the model");
      throw new RpcError(rpcCodes.internal, "No user is present to answer questions");
    },
  };
}

function because(reason: string | null | undefined): string {
  return reason ? ` (${reason})` : "";
}
