import { AccessGuard } from "./access-guard.js";
import { type Address, formatAddress, isLoopback, parseAddress } from "./address.js";
import { TransportError } from "./error.js";
import type { Listener, ListenOptions, WebOptions } from "./listener.js";
import type { ServerToken } from "./token.js";

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
  if (options.web !== undefined) return openWeb(address, options, options.web);
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

async function openWeb(address: Address, options: ListenOptions, web: WebOptions) {
  if (address.transport !== "ws") {
    const problem = `A page is served at ws://HOST:PORT only (got ${formatAddress(address)})`;
    throw new TransportError("bad_url", problem);
  }
  return (await import("./web/listen-web.js")).listenWeb(address, options, web);
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

function requirePrivacy(address: Address, { token, tls, web }: ListenOptions): void {
  if (!("host" in address)) return;
  const url = formatAddress(address);
  if (address.secure && tls === undefined) {
    throw new TransportError("not_private", `${url} needs a certificate and its key`);
  }
  if (token !== undefined || isLoopback(address.host)) return;
  if (web !== undefined) {
    if (tls !== undefined || web.plainHttp) return;
    const problem = `${url} could be read by others on the network: use TLS, or allow plain HTTP`;
    throw new TransportError("not_private", problem);
  }
  const problem = `${url} could be reached from other machines: set a token, or listen on 127.0.0.1`;
  throw new TransportError("not_private", problem);
}
