import { type AppServerClient, connectAppServer } from "../../client/index.js";
import type { Era } from "../../compat/index.js";
import { CodexError } from "../../protocol/error.js";
import { TransportError } from "../../transport/error.js";
import type { Reconnection } from "../../tui/index.js";
import type { CommandIo } from "../command.js";
import type { SessionRequest } from "../options/session-request.js";
import { createLateClient } from "./late-client.js";

/**
 * Connects the terminal UI to its server: elsewhere, or in this process.
 *
 * Another program is connected to at once, for it may not be there; our own server starts when it is
 * first asked something.
 */
export async function connectTui(
  { remote, thread }: SessionRequest,
  { env, signal }: CommandIo,
  era: Era,
): Promise<AppServerClient & { reconnection?: Reconnection }> {
  const clientInfo = { name: "codex-tui", title: "Quire", version: era.compatibleWith };
  const options = { clientInfo, capabilities: { experimentalApi: true }, signal };
  if (remote !== undefined) {
    const { url, token } = remote;
    const given = token === undefined ? {} : { token };
    // The numbers let it catch up on what it missed after the connection was lost.
    const capabilities = { ...options.capabilities, sequenceNumbers: true };
    const connect = () => connectAppServer(url, { ...options, ...given, capabilities });
    const first = await connect().catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      throw new CodexError("io", error.message, { cause: error });
    });
    const { createReconnectingClient } = await import("./reconnecting-client.js");
    return createReconnectingClient(first, connect);
  }
  return createLateClient(async () => {
    const { startInProcessAppServer } = await import("../../server/in-process.js");
    const channel = startInProcessAppServer({ env, cwd: thread.cwd, era });
    return connectAppServer(channel, options);
  });
}
