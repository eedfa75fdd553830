import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Channel,
  type ConnectionInfo,
  type ConnectOptions,
  connect,
  type Listener,
  type ListenOptions,
  listen,
} from "../../src/transport/index.js";
import type { ChannelPair } from "./contract.js";

/** A listener for tests: records connections, and closes everything at the end. */
export interface TestServer extends AsyncDisposable {
  listener: Listener;
  url: string;
  /** Resolves to the next accepted connection. */
  accepted(): Promise<Channel>;
  infos: ConnectionInfo[];
}

/** Listens at an address; for a bare `unix://` or `ws+unix://`, on a new socket. */
export async function startTestServer(
  url: string,
  options: Partial<ListenOptions> = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "quire-transport-"));
  const channels: Channel[] = [];
  const waiting: ((channel: Channel) => void)[] = [];
  const infos: ConnectionInfo[] = [];
  const listener = await listen(/unix:\/\/$/.test(url) ? `${url}${folder}/s.sock` : url, {
    ...options,
    onConnection(channel, info) {
      infos.push(info);
      const next = waiting.shift();
      if (next === undefined) channels.push(channel);
      else next(channel);
    },
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  return {
    listener,
    url: listener.url,
    infos,
    async accepted() {
      const channel = channels.shift();
      return channel ?? new Promise((resolve) => waiting.push(resolve));
    },
    async [Symbol.asyncDispose]() {
      await listener.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Connects a client (near) to a server (far). */
export async function connectPair(
  url: string,
  options: { server?: Partial<ListenOptions>; client?: ConnectOptions } = {},
): Promise<ChannelPair> {
  const server = await startTestServer(url, options.server);
  const [near, far] = await Promise.all([connect(server.url, options.client), server.accepted()]);
  if (/^(tcp|tls|unix):/.test(url)) {
    // A connection of plain lines must start with an object; any JSON value may follow.
    near.send({});
    await far.incoming[Symbol.asyncIterator]().next();
  }
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      near.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
