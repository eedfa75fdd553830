import type { Readable, Writable } from "node:stream";
import { AccessGuard } from "./access-guard.js";
import {
  type Address,
  formatAddress,
  isLoopback,
  parseAddress,
  type Transport,
} from "./address.js";
import type { Channel } from "./channel.js";
import { TransportError } from "./error.js";
import type { IpcProcess } from "./ipc.js";
import type { ServerToken } from "./token.js";

/** Options for `listen`: access rules, and the callback for accepted connections. */
export interface ListenOptions {
  /** Called for each accepted connection. The callee closes the channel. */
  onConnection(channel: Channel, info: ConnectionInfo): void;
  /** Token that clients must present; required off the loopback interface. */
  token?: ServerToken;
  /** Accepted `Origin` headers; by default only programs may connect, no pages. */
  allowOrigins?: readonly string[];
  /** Accepted host names, without a port, besides those of loopback. */
  allowHosts?: readonly string[];
  /** Certificate and key; enables TLS on network transports. */
  tls?: ServerTls;
  /** Limit of open connections; default: 4096. */
  maxConnections?: number;
  /** Streams used for `stdio://`. */
  stdio?: { input: Readable; output: Writable };
  /** Process whose IPC channel is used for `ipc://`; default: this process. */
  ipc?: IpcProcess;
  /** Closes the listener. */
  signal?: AbortSignal;
}

/** Certificate and private key of a server, as PEM. */
export interface ServerTls {
  cert: string;
  key: string;
}

/** Origin of a connection. */
export interface ConnectionInfo {
  transport: Transport;
  /** Address of the client, if the transport has one. */
  remote: string | undefined;
}

/** A server that accepts connections until it is closed. */
export interface Listener {
  /** Address to connect to, with the actual port if 0 was requested. */
  readonly url: string;
  /** True if connections use TLS. */
  readonly isEncrypted: boolean;
  /** Stops accepting, closes all connections, and resolves when they are closed. */
  close(): Promise<void>;
}

/** Accepts connections at an address; see docs/transports.md for the available transports. */
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
  const guard = new AccessGuard(options, await tokenCheck(options.token), hostOf(address));
  switch (address.transport) {
    case "unix":
      return (await import("./unix.js")).listenUnix(address, guard);
    case "tcp":
      return (await import("./tcp.js")).listenTcp(address, guard);
    case "http":
      return (await import("./http.js")).listenHttp(address, guard);
    case "h2":
      return (await import("./http2.js")).listenHttp2(address, guard);
    case "grpc":
      return (await import("./grpc.js")).listenGrpc(address, guard);
    case "ws":
      return (await import("./websocket.js")).listenWebSocket(address, guard);
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
