import { type AppServerClient, connectAppServer } from "../../client/index.js";
import type { Era } from "../../compat/index.js";
import { createDeferred } from "../../lib/async.js";
import { CodexError } from "../../protocol/error.js";
import { TransportError } from "../../transport/index.js";
import type { Reconnection } from "../../tui/index.js";
import type { CommandIo } from "../command.js";
import type { SessionRequest } from "../options/session-request.js";

/**
 * Connects the terminal UI to its server: a remote one, or one in this process.
 *
 * Connects to a remote server at once, as it may be unreachable; the server in this process starts with
 * the first request.
 */
export async function connectTui(
  { remote, thread, bypassesHookTrust }: SessionRequest,
  { env, signal }: CommandIo,
  era: Era,
): Promise<AppServerClient & { reconnection?: Reconnection }> {
  const clientInfo = { name: "codex-tui", title: "Quire", version: era.compatibleWith };
  const options = { clientInfo, capabilities: { experimentalApi: true }, signal };
  if (remote?.fleet !== undefined) {
    const { startInProcessGateway } = await import("../../fleet/gateway/index.js");
    const address = { url: remote.url, ...remote.fleet };
    return connectAppServer(await startInProcessGateway(address, { env, era }), options);
  }
  if (remote !== undefined) {
    const { url, token } = remote;
    const given = token === undefined ? {} : { token };
    // Sequence numbers allow the client to catch up after a reconnection.
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
    const { startInProcessAppServer } = await import("../../server/serve.js");
    const channel = startInProcessAppServer({
      env,
      cwd: thread.cwd,
      era,
      hooks: { untrusted: bypassesHookTrust ? "run" : "skip" },
    });
    return connectAppServer(channel, options);
  });
}

/**
 * Creates a client that connects with its first request, so that the screen is drawn before.
 *
 * Listeners and handlers can be added earlier. Requests wait for the connection, and reject if it fails.
 */
export function createLateClient(connect: () => Promise<AppServerClient>): AppServerClient {
  const closed = createDeferred<void>();
  const ended = new AbortController();
  const waiting: ((client: AppServerClient) => void)[] = [];
  let connecting: Promise<AppServerClient> | undefined;
  let connected: AppServerClient | undefined;
  const end = () => {
    ended.abort(new Error("Connection closed"));
    closed.resolve();
  };

  async function begin(): Promise<AppServerClient> {
    const client = await connect();
    connected = client;
    for (const add of waiting.splice(0)) add(client);
    void client.closed.then(end);
    return client;
  }

  /** Registers something with the client, now or once it is connected; returns the undo function. */
  function soon(add: (client: AppServerClient) => () => void): () => void {
    if (connected !== undefined) return add(connected);
    let undo: (() => void) | undefined;
    let isUndone = false;
    waiting.push((client) => {
      if (!isUndone) undo = add(client);
    });
    return () => {
      isUndone = true;
      undo?.();
    };
  }

  return {
    get server() {
      if (connected === undefined) throw new Error("Connection is not initialized");
      return connected.server;
    },
    signal: ended.signal,
    closed: closed.promise,
    async request(method, params, signal) {
      connecting ??= begin();
      const client = await connecting;
      return client.request(method, params, signal);
    },
    onNotification: (listener) => soon((client) => client.onNotification(listener)),
    onRequest: (method, handler) => soon((client) => client.onRequest(method, handler)),
    async close() {
      const client = await connecting?.catch(() => undefined);
      await client?.close();
      end();
    },
  };
}
