import type { ClientInfo, InitializeCapabilities } from "../protocol/rpc/v2/initialize.js";
import type { Channel, ConnectOptions } from "../transport/index.js";
import { type AppServerClient, ChannelClient } from "./app-server-client.js";
import type { ServerNotification, ServerRequestHandlers } from "./messages.js";

/** Options for `connectAppServer`. */
export interface ConnectAppServerOptions extends ConnectOptions {
  /** Name and version of the program, for the server's logs. */
  clientInfo?: ClientInfo;
  /** Defaults to `experimentalApi`. */
  capabilities?: InitializeCapabilities;
  /** Handlers of server requests; more can be added with `onRequest`. */
  handlers?: ServerRequestHandlers;
  /** Called with all notifications, from the first one on. */
  onNotification?(notification: ServerNotification): void;
  /** Called with errors that listeners throw. */
  onFault?(error: unknown): void;
}

/**
 * Connects to an app-server over a channel or at an address, and initializes the connection.
 *
 * The client owns the channel: it is closed if `initialize` fails, and by `close`.
 */
export async function connectAppServer(
  target: Channel | string,
  options: ConnectAppServerOptions = {},
): Promise<AppServerClient> {
  const { clientInfo, capabilities, handlers = {}, onNotification, onFault, signal } = options;
  const channel = typeof target === "string" ? await dial(target, options) : target;
  const client = new ChannelClient(channel, { handlers, onNotification, onFault });
  try {
    await client.initialize(
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

/** Connects to an address. The transports are loaded on demand. */
export async function dial(url: string, { token, tls, signal }: ConnectOptions): Promise<Channel> {
  const isBrowser = typeof process === "undefined";
  const { connect } = isBrowser
    ? await import("../transport/browser.js")
    : await import("../transport/connect.js");
  return connect(url, {
    ...(token === undefined ? {} : { token }),
    ...(tls === undefined ? {} : { tls }),
    ...(signal === undefined ? {} : { signal }),
  });
}
