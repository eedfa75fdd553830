import { codexApiKey } from "../../auth/given-key.js";
import {
  type AppServerClient,
  connectAppServer,
  type ServerRequestHandlers,
} from "../../client/index.js";
import type { Era } from "../../compat/index.js";
import type { CommandIo } from "../command.js";
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
