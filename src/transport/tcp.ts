import { once } from "node:events";
import { connect as connectNet, createServer, type Server, type Socket } from "node:net";
import type { NetworkAddress } from "./address.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./connect.js";
import type { Door } from "./door.js";
import type { Listener } from "./listen.js";
import { joinRawSocket, serveRawSocket } from "./raw-socket.js";
import { remoteOf, startServer } from "./start-server.js";

/** Lines of JSON over TCP, or over TLS when the door has a certificate. */
export async function listenTcp(address: NetworkAddress, door: Door): Promise<Listener> {
  const serve = (socket: Socket) => {
    tune(socket);
    serveRawSocket(socket, door, { transport: "tcp", remote: remoteOf(socket) });
  };
  return startServer(await createSocketServer(door, serve), address, door);
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

async function createSocketServer(door: Door, serve: (socket: Socket) => void): Promise<Server> {
  if (door.tls === undefined) return createServer({ allowHalfOpen: true }, serve);
  const tls = await import("node:tls");
  return tls.createServer({ ...door.tls, allowHalfOpen: true, handshakeTimeout: 10_000 }, serve);
}

/** Small messages leave at once, and a peer that vanished is noticed in the end. */
function tune(socket: Socket): void {
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
}
