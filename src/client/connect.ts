import type { ClientInfo, InitializeCapabilities } from "../protocol/rpc/v2/initialize.js";
import type { Channel, ConnectOptions } from "../transport/index.js";
import { type AppServerClient, ChannelClient } from "./app-server-client.js";
import type { ServerNotification, ServerRequestHandlers } from "./messages.js";

/** How a client introduces itself, and what it answers from the first moment on. */
export interface ConnectAppServerOptions extends ConnectOptions {
  clientInfo?: ClientInfo;
  /** By default the whole interface is asked for, also what can still change. */
  capabilities?: InitializeCapabilities;
  /** Who answers the server's questions; more can be added with `onRequest`. */
  handlers?: ServerRequestHandlers;
  /** Hears all that the server tells, also what it tells at once. */
  onNotification?(notification: ServerNotification): void;
  /** Hears what listeners threw. */
  onFault?(error: unknown): void;
}

/**
 * Connects to an app-server over a channel or at an address, and shakes hands with it.
 *
 * The client owns the channel: it is closed when the handshake fails, and by `close`.
 */
export async function connectAppServer(
  target: Channel | string,
  options: ConnectAppServerOptions = {},
): Promise<AppServerClient> {
  const { clientInfo, capabilities, handlers = {}, onNotification, onFault, signal } = options;
  const channel = typeof target === "string" ? await dial(target, options) : target;
  const client = new ChannelClient(channel, { handlers, onNotification, onFault });
  try {
    await client.introduce(
      {
        clientInfo: clientInfo ?? {
          name: "quire-client",
          title: "Quire client",
          version: "unknown",
        },
        capabilities: capabilities ?? { experimentalApi: true },
      },
      signal,
    );
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}

/** Connects to an address; a channel that is given needs no transport to be loaded. */
export async function dial(url: string, { token, tls, signal }: ConnectOptions): Promise<Channel> {
  const { connect } = await import("../transport/connect.js");
  return connect(url, {
    ...(token === undefined ? {} : { token }),
    ...(tls === undefined ? {} : { tls }),
    ...(signal === undefined ? {} : { signal }),
  });
}
