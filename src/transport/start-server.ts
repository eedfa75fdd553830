import { once } from "node:events";
import { type AddressInfo, type Server, Socket } from "node:net";
import { errorText } from "../lib/errors.js";
import { authority, formatAddress, isLoopback, type NetworkAddress } from "./address.js";
import type { Door } from "./door.js";
import { systemCode, TransportError } from "./error.js";
import type { Listener } from "./listen.js";
import { isOwnCommand } from "./peer-process.js";

/** Starts a server on its host and port, and says why when that cannot be done. */
export async function startServer(
  server: Server,
  address: NetworkAddress,
  door: Door,
  { socketsPerClient = 1 }: { socketsPerClient?: number } = {},
): Promise<Listener> {
  const isEncrypted = door.tls !== undefined;
  refuseOwnCommands(server);
  const stop = await bind(server, door, {
    url: formatAddress(address),
    socketsPerClient,
    listen: () => server.listen(address.port, address.host),
  });
  const bound = server.address() as AddressInfo;
  // The name `localhost` is whatever the machine says it is.
  if (door.checkToken === undefined && !isLoopback(bound.address)) {
    await stop();
    const problem = `${address.host} is ${bound.address}, which other machines can reach: set a token`;
    throw new TransportError("not_private", problem);
  }
  const url = formatAddress({ ...address, port: bound.port, secure: isEncrypted });
  return { url, isEncrypted, close: stop };
}

/** Where a server is bound, and how. */
export interface Binding {
  url: string;
  listen(): void;
  /** How many connections a client may need; 1 by default. */
  socketsPerClient?: number;
}

/** Binds a server; the result stops it and ends every connection, let in or not. */
export async function bind(
  server: Server,
  door: Door,
  { url, listen, socketsPerClient = 1 }: Binding,
): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  server.maxConnections = door.maxConnections * socketsPerClient;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const listening = once(server, "listening");
  listen();
  await listening.catch((error: unknown) => {
    throw bindError(error, url);
  });
  // A machine out of file descriptors fails to accept; it may have some again later.
  server.on("error", () => {});
  return async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    await door.clear();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

/** Drops connections of our own commands before anything sees them. */
function refuseOwnCommands(server: Server): void {
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean;
  server.emit = ((event: string, ...args: unknown[]) => {
    const [socket] = args;
    if (event !== "connection" || !(socket instanceof Socket) || !isOwnCommand(socket)) {
      return emit(event, ...args);
    }
    socket.on("error", () => {});
    socket.destroy();
    return true;
  }) as Server["emit"];
}

/** Where a socket comes from. */
export function remoteOf({ remoteAddress, remotePort }: Partial<Socket>): string | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return authority(remoteAddress, remotePort);
}

function bindError(error: unknown, url: string): TransportError {
  switch (systemCode(error)) {
    case "EADDRINUSE": {
      const hint = "Another program listens there; stop it or choose another address";
      return new TransportError("in_use", `${url} is in use. ${hint}`, error);
    }
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new TransportError("bad_url", `${url} is not an address of this machine`, error);
    case "EACCES":
    case "EPERM":
      return new TransportError("bad_url", `There is no permission to listen on ${url}`, error);
  }
  const reason = errorText(error);
  return new TransportError("bad_url", `Cannot listen on ${url}: ${reason}`, error);
}
