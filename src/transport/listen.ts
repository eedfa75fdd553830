import type { Readable, Writable } from "node:stream";
import {
  type Address,
  formatAddress,
  isLoopback,
  parseAddress,
  type Transport,
} from "./address.js";
import type { Channel } from "./channel.js";
import { Door } from "./door.js";
import { TransportError } from "./error.js";
import type { IpcProcess } from "./ipc.js";
import type { ServerToken } from "./token.js";

/** Who is let in, and what is done with them. */
export interface ListenOptions {
  /** Called for each client that was let in. Whoever gets the channel closes it. */
  onConnection(channel: Channel, info: ConnectionInfo): void;
  /** What clients must present; required off the loopback interface. */
  token?: ServerToken;
  /** The `Origin` headers that are accepted; without them only programs may connect, no pages. */
  allowOrigins?: readonly string[];
  /** The names, without a port, by which this server may be called besides those of loopback. */
  allowHosts?: readonly string[];
  /** Makes a network transport speak TLS. */
  tls?: ServerTls;
  /** Further clients are turned away; 4096 unless said. */
  maxConnections?: number;
  /** The streams that `stdio://` stands for. */
  stdio?: { input: Readable; output: Writable };
  /** The process whose IPC channel `ipc://` stands for; this one by default. */
  ipc?: IpcProcess;
  /** Closes the listener. */
  signal?: AbortSignal;
}

/** The certificate of a server and its key, as PEM. */
export interface ServerTls {
  cert: string;
  key: string;
}

/** Where a connection comes from. */
export interface ConnectionInfo {
  transport: Transport;
  /** The address of the client, as far as the transport knows one. */
  remote: string | undefined;
}

/** A server that accepts connections until it is closed. */
export interface Listener {
  /** Where it can be reached, with the port that was found when 0 was asked for. */
  readonly url: string;
  /** Whether what is said can be read on the way. */
  readonly isEncrypted: boolean;
  /** Stops accepting, closes what is connected, and resolves when all of it is gone. */
  close(): Promise<void>;
}

/** Accepts connections at an address; see docs/transports.md for the kinds there are. */
export async function listen(url: string, options: ListenOptions): Promise<Listener> {
  options.signal?.throwIfAborted();
  const address = parseAddress(url);
  requirePrivacy(address, options);
  const listener = await open(address, options);
  const stop = () => void listener.close();
  options.signal?.addEventListener("abort", stop, { once: true });
  return {
    ...listener,
    async close() {
      options.signal?.removeEventListener("abort", stop);
      await listener.close();
    },
  };
}

async function open(address: Address, options: ListenOptions): Promise<Listener> {
  if (address.transport === "stdio") return openStdio(options);
  if (address.transport === "ipc") return openIpc(options);
  const door = new Door(options, await tokenCheck(options.token), hostOf(address));
  switch (address.transport) {
    case "unix":
      return (await import("./unix.js")).listenUnix(address, door);
    case "tcp":
      return (await import("./tcp.js")).listenTcp(address, door);
    case "http":
      return (await import("./http.js")).listenHttp(address, door);
    case "h2":
      return (await import("./http2.js")).listenHttp2(address, door);
    case "grpc":
      return (await import("./grpc.js")).listenGrpc(address, door);
    case "ws":
      return (await import("./websocket.js")).listenWebSocket(address, door);
  }
}

async function openStdio({ stdio, onConnection }: ListenOptions): Promise<Listener> {
  if (stdio === undefined) throw new TransportError("bad_url", "There is no stdio to listen on");
  const { stdioChannel } = await import("./byte-channel.js");
  const channel = stdioChannel(stdio.input, stdio.output);
  onConnection(channel, { transport: "stdio", remote: undefined });
  return { url: "stdio://", isEncrypted: false, close: () => channel.close() };
}

async function openIpc({ ipc = process, onConnection }: ListenOptions): Promise<Listener> {
  if (ipc.send === undefined) {
    const problem = "ipc:// needs a parent that started this process with child_process.fork";
    throw new TransportError("bad_url", problem);
  }
  const { ipcChannel } = await import("./ipc.js");
  const channel = ipcChannel(ipc, { offersFlow: false });
  onConnection(channel, { transport: "ipc", remote: undefined });
  return { url: "ipc://", isEncrypted: false, close: () => channel.close() };
}

async function tokenCheck(token: ServerToken | undefined) {
  if (token === undefined) return undefined;
  return (await import("./token.js")).createTokenCheck(token);
}

function hostOf(address: Address): string | undefined {
  return "host" in address ? address.host : undefined;
}

function requirePrivacy(address: Address, { token, tls }: ListenOptions): void {
  if (!("host" in address)) return;
  const url = formatAddress(address);
  if (address.secure && tls === undefined) {
    throw new TransportError("not_private", `${url} needs a certificate and its key`);
  }
  if (token !== undefined || isLoopback(address.host)) return;
  const problem = `${url} could be reached from other machines: set a token, or listen on 127.0.0.1`;
  throw new TransportError("not_private", problem);
}
