import { agent, type NewSessionResponse } from "@agentclientprotocol/sdk";
import { isRecord } from "../../protocol/read/check.js";
import { type Channel, linkedChannels } from "../../transport/index.js";
import { serveAppServer } from "../app-server.js";
import type { Server } from "../server.js";
import { AcpAgent } from "./agent.js";
import type { ConnectAppServer, EditorServices } from "./app-server.js";
import { authenticate } from "./authentication.js";
import { explained, invalidParams } from "./errors.js";
import { paced, toStream } from "./stream.js";

/**
 * Serves the Agent Client Protocol to one editor; resolves when it has closed its side.
 *
 * It translates between ACP and v2: a session is a thread, and everything goes through one client
 * of the app-server, which `connect` creates.
 */
export async function serveAcp(
  channel: Channel,
  server: Server,
  { connect, editor }: { connect: ConnectAppServer; editor?: EditorServices | undefined },
): Promise<void> {
  let current: AcpAgent | undefined;
  const acp = () => {
    if (current === undefined) throw new Error("The connection is not open");
    return current;
  };
  const handled = <Result>(handle: (acp: AcpAgent) => Promise<Result>) =>
    explained(async () => handle(acp()));
  const app = agent({ name: "quire" })
    .onRequest("initialize", ({ params }) => handled((acp) => acp.initialize(params)))
    .onRequest("authenticate", ({ params, signal }) =>
      handled(async ({ appServer }) => {
        await authenticate(params.methodId, appServer, server.parts.env, signal);
        return {};
      }),
    )
    .onRequest("logout", () =>
      handled(async ({ appServer }) => {
        await appServer.request("account/logout", {});
        return {};
      }),
    )
    .onRequest("session/new", ({ params }) =>
      handled(async (acp) => withCommands(acp, await acp.newSession(params))),
    )
    .onRequest("session/load", ({ params }) =>
      handled(async (acp) => {
        const loaded = await acp.loadSession(params, { replays: true });
        return withoutId(withCommands(acp, loaded));
      }),
    )
    .onRequest("session/resume", ({ params }) =>
      handled(async (acp) => {
        const loaded = await acp.loadSession(params, { replays: false });
        return withoutId(withCommands(acp, loaded));
      }),
    )
    .onRequest("session/fork", readFork, ({ params }) =>
      handled(async (acp) => withCommands(acp, await acp.forkSession(params))),
    )
    .onRequest("session/list", ({ params }) => handled((acp) => acp.listSessions(params)))
    .onRequest("session/close", ({ params }) =>
      handled(async (acp) => {
        await acp.closeSession(params.sessionId);
        // The user may continue it in another program, which would find it in use.
        const thread = server.threads.find(params.sessionId);
        if (thread !== undefined) await server.unloader.unloadNow(thread);
        return {};
      }),
    )
    .onRequest("session/delete", ({ params }) =>
      handled(async (acp) => {
        await acp.deleteSession(params.sessionId);
        return {};
      }),
    )
    .onRequest("session/set_mode", ({ params }) =>
      handled(async (acp) => {
        await acp.session(params.sessionId).setMode(params.modeId);
        return {};
      }),
    )
    .onRequest("session/set_config_option", ({ params }) =>
      handled(async (acp) => {
        const { sessionId, configId, value } = params;
        return { configOptions: await acp.session(sessionId).setOption(configId, value) };
      }),
    )
    .onRequest("session/prompt", ({ params }) =>
      handled(async (acp) => ({
        stopReason: await acp.session(params.sessionId).prompt(params.prompt),
      })),
    )
    .onNotification("session/cancel", ({ params }) =>
      handled((acp) => acp.session(params.sessionId).cancel()),
    );
  const connection = app.connect(toStream(channel));
  let served: Promise<void> | undefined;
  current = new AcpAgent(connection, {
    env: server.parts.env,
    home: server.home,
    isRemote: server.fleet !== undefined,
    connect(client) {
      const [own, theirs] = linkedChannels();
      served = serveAppServer(theirs, server);
      served.catch(() => undefined);
      return connect(
        paced(own, () => acp().editor.room()),
        client,
      );
    },
  });
  if (editor !== undefined) {
    editor.buffers = (threadId) => acp().buffersOf(threadId);
    editor.terminals = (threadId) => acp().terminalsOf(threadId);
  }
  await connection.closed;
  await current.close();
  await served;
  await channel.close();
}

/** Sends the slash commands after the reply that opens a session. */
function withCommands(acp: AcpAgent, response: NewSessionResponse): NewSessionResponse {
  setImmediate(() => acp.sendCommands(response.sessionId));
  return response;
}

/** Returns a response without the id that the editor has sent itself. */
function withoutId({ sessionId: _, ...response }: NewSessionResponse) {
  return response;
}

function readFork(params: unknown) {
  const { sessionId, cwd } = isRecord(params) ? params : {};
  if (typeof sessionId !== "string" || typeof cwd !== "string") {
    throw invalidParams("`sessionId` and `cwd` must be strings");
  }
  return params as { sessionId: string; cwd: string };
}
