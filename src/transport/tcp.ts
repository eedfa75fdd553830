import { once } from "node:events";
import { connect as connectNet, createServer, type Server, type Socket } from "node:net";
import type { AccessGuard } from "./access-guard.js";
import type { NetworkAddress } from "./address.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./dial.js";
import type { Listener } from "./listener.js";
import { joinRawSocket, serveRawSocket } from "./raw-socket.js";
import { remoteOf, startServer } from "./start-server.js";

/** Listens for lines of JSON over TCP, or over TLS if a certificate is configured. */
export async function listenTcp(address: NetworkAddress, guard: AccessGuard): Promise<Listener> {
  const serve = (socket: Socket) => {
    tune(socket);
    serveRawSocket(socket, guard, { transport: "tcp", remote: remoteOf(socket) });
  };
  return startServer(await createSocketServer(guard, serve), address, guard);
}

/** Connects to a server of lines over TCP or TLS. */
export async function connectTcp(address: NetworkAddress, options: DialOptions): Promise<Channel> {
  const { host, port, secure } = address;
  const target = { host, port, allowHalfOpen: true };
  const socket = secure
    ? (await import("node:tls")).connect({ ...target, ...options.tls })
    : connectNet(target);
  tune(socket);
  socket.on("error", () => {}); // also after we gave up
  return whileDialing(
    options.signal,
    () => socket.destroy(),
    async () => {
      await once(socket, secure ? "secureConnect" : "connect", { signal: options.signal });
      return joinRawSocket(socket, options.token);
    },
  );
}

async function createSocketServer(
  guard: AccessGuard,
  serve: (socket: Socket) => void,
): Promise<Server> {
  if (guard.tls === undefined) return createServer({ allowHalfOpen: true }, serve);
  const tls = await import("node:tls");
  return tls.createServer({ ...guard.tls, allowHalfOpen: true, handshakeTimeout: 10_000 }, serve);
}

/** Sends small messages immediately, and detects vanished peers. */
function tune(socket: Socket): void {
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
}
