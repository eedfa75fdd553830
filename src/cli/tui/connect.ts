import { type AppServerClient, connectAppServer } from "../../client/index.js";
import type { Era } from "../../protocol/era.js";
import type { CommandIo } from "../command.js";
import type { SessionRequest } from "../options/session-request.js";

/** Connects the terminal UI to its server: elsewhere, or in this process. */
export async function connectTui(
  { remote, thread }: SessionRequest,
  { env, signal }: CommandIo,
  era: Era,
): Promise<AppServerClient> {
  const clientInfo = { name: "codex-tui", title: "Quire", version: era.compatibleWith };
  const options = { clientInfo, capabilities: { experimentalApi: true }, signal };
  if (remote !== undefined) {
    const { url, token } = remote;
    return connectAppServer(url, { ...options, ...(token === undefined ? {} : { token }) });
  }
  const { startInProcessAppServer } = await import("../../server/in-process.js");
  const channel = startInProcessAppServer({ env, cwd: thread.cwd, era });
  return connectAppServer(channel, options);
}
