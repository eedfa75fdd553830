import { once } from "node:events";
import { chmod, lstat, mkdir, unlink } from "node:fs/promises";
import { connect as connectNet, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { withFileLock } from "../lib/file-lock.js";
import type { AccessGuard } from "./access-guard.js";
import { type Address, formatAddress } from "./address.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./dial.js";
import { systemCode, TransportError } from "./error.js";
import type { Listener } from "./listener.js";
import { joinRawSocket, serveRawSocket } from "./raw-socket.js";
import { bind } from "./start-server.js";

type UnixAddress = Extract<Address, { transport: "unix" }>;

/**
 * Listens on a Unix socket that only its owner can open.
 *
 * It accepts both lines and WebSocket: a client that starts with an HTTP request gets the latter.
 */
export async function listenUnix(address: UnixAddress, guard: AccessGuard): Promise<Listener> {
  const { path } = address;
  const upgrades = lazyUpgrades(guard);
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on("error", () => {});
    const language = await languageOf(socket);
    if (language === "none") socket.destroy();
    else if (language === "http") (await upgrades()).emit("connection", socket);
    else serveRawSocket(socket, guard, { transport: "unix", remote: undefined });
  });
  const url = formatAddress(address);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // If two servers find the same dead socket, one must not remove the new socket of the other.
  const close = await withFileLock(`${path}.lock`, patience, async () => {
    await removeDeadSocket(path);
    return bind(server, guard, { url, listen: () => listenPrivately(server, path) });
  });
  await chmod(path, 0o600);
  return { url, isEncrypted: true, close };
}

/** Connects to the Unix socket of a server. */
export async function connectUnix(address: UnixAddress, options: DialOptions): Promise<Channel> {
  if (address.framing === "websocket") {
    const { connectWebSocketOver } = await import("./websocket.js");
    return connectWebSocketOver(() => connectNet(address.path), options);
  }
  const socket = connectNet({ path: address.path, allowHalfOpen: true });
  socket.on("error", () => {}); // also after we gave up
  return whileDialing(
    options.signal,
    () => socket.destroy(),
    async () => {
      await once(socket, "connect", { signal: options.signal });
      // An empty line is not a message, but shows the server immediately that the client speaks
      // lines.
      socket.write("\n");
      return joinRawSocket(socket, options.token);
    },
  );
}

/** Removes the socket of a server that is gone, and nothing else. */
async function removeDeadSocket(path: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return;
  if (!stat.isSocket()) {
    throw new TransportError("in_use", `${path} exists and is not a socket; choose another path`);
  }
  if (await isAnswered(path)) {
    throw new TransportError("in_use", `Another server answers at ${path}`);
  }
  await unlink(path);
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connectNet(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return systemCode(error) !== "ECONNREFUSED" && systemCode(error) !== "ENOENT";
  } finally {
    socket.destroy();
  }
}

/** Other users must not be able to open the socket, not even between its creation and `chmod`. */
function listenPrivately(server: Server, path: string): void {
  const previous = setUmask(0o177);
  server.listen(path);
  if (previous !== undefined) process.umask(previous);
}

/** A worker thread cannot set the umask; there the `chmod` that follows has to do. */
function setUmask(mask: number): number | undefined {
  try {
    return process.umask(mask);
  } catch {
    return undefined;
  }
}

/**
 * Peeks at the first bytes of a client; one that stays silent speaks lines.
 *
 * A client that disconnects without sending anything only checked that the server is there.
 */
async function languageOf(socket: Socket): Promise<"http" | "lines" | "none"> {
  const hasSpoken = await new Promise<boolean>((resolve) => {
    let silence: NodeJS.Timeout;
    const stop = () => {
      clearTimeout(silence);
      resolve(true);
    };
    // Counted in turns of the event loop, not by the clock: while this process is busy, the bytes of
    // a client may have arrived without being read.
    const wait = (turns: number) => {
      silence = setTimeout(() => (turns > 1 ? wait(turns - 1) : resolve(false)), turnMs);
    };
    wait(silentTurns);
    socket.once("readable", stop);
    socket.once("close", stop);
  });
  const first: Buffer | null = socket.read();
  if (first === null) return hasSpoken ? "none" : "lines";
  socket.unshift(first);
  return first.subarray(0, 4).toString("latin1") === "GET " ? "http" : "lines";
}

/** Loads the WebSocket code for the first client that needs it. */
function lazyUpgrades(guard: AccessGuard): () => Promise<Server> {
  let server: Promise<Server> | undefined;
  return () => {
    server ??= import("./websocket.js").then(({ createUpgradeServer }) =>
      createUpgradeServer(guard, "unix"),
    );
    return server;
  };
}

/** A client that is silent for this many turns waits for the server to send first. */
const silentTurns = 50;
const turnMs = 10;

const patience = { sameHolderMs: 5000, totalMs: 10_000 };
