import { codexApiKey } from "../../auth/auth-source.js";
import {
  type AppServerClient,
  connectAppServer,
  type ResultOf,
  RpcError,
  rpcCodes,
  type ServerRequestHandlers,
} from "../../client/index.js";
import type { Era } from "../../compat/index.js";
import { permissionLines } from "../../protocol/permissions-text.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import type { ExecRequest } from "./exec-request.js";

/** Connects to the server that runs the conversation: elsewhere, or in this process. */
export async function connectExec(
  { remote, thread, ignoresUserConfig }: ExecRequest,
  io: CommandIo,
  era: Era,
  handlers: ServerRequestHandlers,
): Promise<AppServerClient> {
  const clientInfo = { name: "codex_exec", title: "Quire exec", version: era.compatibleWith };
  const options = { clientInfo, handlers, signal: io.signal };
  if (remote !== undefined) {
    const { url, token } = remote;
    return connectAppServer(url, { ...options, ...(token === undefined ? {} : { token }) });
  }
  const { startInProcessAppServer } = await import("../../server/in-process.js");
  const { originator, isClient } = era.execJson;
  const host = { source: "exec", originator, isClient } as const;
  const { env } = io;
  const apiKey = codexApiKey(env);
  const channel = startInProcessAppServer({
    env,
    cwd: thread.cwd,
    era,
    host,
    apiKey,
    ignoresUserConfig,
  });
  return connectAppServer(channel, options);
}

/** Which thread a run works in: a new one, or one that goes on. */
export type ThreadChoice =
  | { kind: "new" }
  | { kind: "resume"; id: string }
  | { kind: "last"; anywhere: boolean };

/** A thread and its settings. */
export type OpenedThread = ResultOf<"thread/start">;

/** Starts or resumes the thread of a run. */
export async function openThread(
  client: AppServerClient,
  choice: ThreadChoice,
  { thread, ephemeral }: ExecRequest,
  signal: AbortSignal,
): Promise<OpenedThread> {
  if (choice.kind === "new") {
    const params = { ...thread, ...(ephemeral ? { ephemeral } : {}) };
    return client.request("thread/start", params, signal);
  }
  const threadId = await findThread(client, choice, thread.cwd, signal);
  const { threadSource: _, ...settings } = thread; // only new threads have one
  return client.request("thread/resume", { threadId, ...settings, excludeTurns: true }, signal);
}

async function findThread(
  client: AppServerClient,
  choice: Exclude<ThreadChoice, { kind: "new" }>,
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  if (choice.kind === "resume" && isUuid(choice.id)) return choice.id;
  const place = choice.kind === "last" && !choice.anywhere ? { cwd } : {};
  const query = choice.kind === "resume" ? { searchTerm: choice.id } : { limit: 1 };
  const { data } = await client.request(
    "thread/list",
    {
      ...query,
      ...place,
      sortKey: "updated_at",
      sourceKinds: ["cli", "vscode", "exec", "appServer"],
    },
    signal,
  );
  const found = choice.kind === "last" ? data[0] : data.find(({ name }) => name === choice.id);
  if (found !== undefined) return found.id;
  throw new UsageError(
    choice.kind === "resume"
      ? `No saved session is called ${choice.id}. See \`quire sessions list\``
      : `There is no saved session${choice.anywhere ? "" : ` of ${cwd}`} to go on with`,
  );
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** What is told when something was asked that nobody can answer. */
type OnDeclined = (what: string) => void;

/** Answers what the server asks in place of a user who is not there: always no, with the reason told. */
export function declineAll(onDeclined: OnDeclined): ServerRequestHandlers {
  return {
    "item/commandExecution/requestApproval": ({ command, reason }) => {
      onDeclined(`the command \`${command ?? "?"}\`${because(reason)}`);
      return { decision: "decline" };
    },
    "item/fileChange/requestApproval": ({ reason, grantRoot }) => {
      onDeclined(`a change of files${grantRoot ? ` in ${grantRoot}` : ""}${because(reason)}`);
      return { decision: "decline" };
    },
    "item/permissions/requestApproval": ({ permissions, reason }) => {
      onDeclined(
        `more permissions: to ${permissionLines(permissions).join(", ")}${because(reason)}`,
      );
      return { permissions: {}, scope: "turn" };
    },
    "mcpServer/elicitation/request": ({ serverName, message }) => {
      onDeclined(`a question of the MCP server ${serverName}: ${message}`);
      return { action: "decline", content: null, _meta: null };
    },
    "item/tool/requestUserInput": () => {
      onDeclined("a question of the model");
      throw new RpcError(rpcCodes.internal, "Nobody is there to answer questions");
    },
  };
}

function because(reason: string | null | undefined): string {
  return reason ? ` (${reason})` : "";
}
