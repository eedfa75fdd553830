import { once } from "node:events";
import { type AddressInfo, type Server, Socket } from "node:net";
import { errorText } from "../lib/errors.js";
import type { AccessGuard } from "./access-guard.js";
import { authority, formatAddress, isLoopback, type NetworkAddress } from "./address.js";
import { systemCode, TransportError } from "./error.js";
import type { Listener } from "./listener.js";
import { isOwnCommand } from "./peer-process.js";

/** Starts a server on its host and port. Throws a `TransportError` with the reason if that fails. */
export async function startServer(
  server: Server,
  address: NetworkAddress,
  guard: AccessGuard,
  { socketsPerClient = 1 }: { socketsPerClient?: number } = {},
): Promise<Listener> {
  const isEncrypted = guard.tls !== undefined;
  refuseOwnCommands(server);
  const stop = await bind(server, guard, {
    url: formatAddress(address),
    socketsPerClient,
    listen: () => server.listen(address.port, address.host),
  });
  const bound = server.address() as AddressInfo;
  // `localhost` may resolve to any address.
  if (guard.checkToken === undefined && !isLoopback(bound.address)) {
    await stop();
    const problem = `${address.host} is ${bound.address}, which other machines can reach: set a token`;
    throw new TransportError("not_private", problem);
  }
  const url = formatAddress({ ...address, port: bound.port, secure: isEncrypted });
  return { url, isEncrypted, close: stop };
}

/** Options for `bind`. */
export interface Binding {
  url: string;
  listen(): void;
  /** Connections that a client may need; default: 1. */
  socketsPerClient?: number;
}

/** Binds a server; returns a function that stops it and closes every connection, accepted or not. */
export async function bind(
  server: Server,
  guard: AccessGuard,
  { url, listen, socketsPerClient = 1 }: Binding,
): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  server.maxConnections = guard.maxConnections * socketsPerClient;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const listening = once(server, "listening");
  listen();
  await listening.catch((error: unknown) => {
    throw bindError(error, url);
  });
  // Accepting fails while the process is out of file descriptors; that may pass.
  server.on("error", () => {});
  return async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    await guard.closeAll();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

/** Drops connections of our own commands before they are read. */
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

/** Formats the remote address of a socket. */
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
