import { type Address, formatAddress, isLoopback, parseAddress } from "./address.js";
import type { Channel } from "./channel.js";
import { systemCode, TransportError } from "./error.js";

/** What a client shows and trusts. */
export interface ConnectOptions {
  /** What the server asks for, or a file of mode 0600 that holds it. */
  token?: string | { file: string };
  /** Whom to trust, and who we are, when the connection uses TLS. */
  tls?: ClientTls;
  /** Gives up connecting; it has no effect on a connection that was made. */
  signal?: AbortSignal;
}

/** What a client needs to know besides the certificates that the system trusts, as PEM. */
export interface ClientTls {
  /** The authorities to trust instead of the usual ones, or the server's own certificate. */
  ca?: string;
  /** The name on the certificate, when it is not the host of the address. */
  servername?: string;
}

/** What the transports get: a token that was read, and a signal that always ends. */
export interface DialOptions {
  token: string | undefined;
  tls: ClientTls | undefined;
  signal: AbortSignal;
}

/** Connects to a server at an address. Rejects when it cannot be reached or refuses us. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Channel> {
  options.signal?.throwIfAborted();
  const given = parseAddress(url);
  const address = "host" in given && options.tls ? { ...given, secure: true } : given;
  requireSecrecy(address, options);
  const token = await readToken(options.token);
  const limit = AbortSignal.timeout(connectWaitMs);
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
  try {
    return await dial(address, { token, tls: options.tls, signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error instanceof TransportError ? error : unreachable(url, limit.aborted ? limit : error);
  }
}

/** Waits for a connection to be made; when the signal comes first, or it fails, cancels it. */
export async function whileDialing<T>(
  signal: AbortSignal,
  cancel: () => void,
  work: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await work();
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

async function dial(address: Address, options: DialOptions): Promise<Channel> {
  switch (address.transport) {
    case "stdio":
      throw new TransportError("bad_url", "stdio:// is for a server; start it and use its pipes");
    case "ipc":
      throw new TransportError(
        "bad_url",
        "ipc:// is for a server; fork it and use ipcChannel(child)",
      );
    case "unix":
      return (await import("./unix.js")).connectUnix(address, options);
    case "tcp":
      return (await import("./tcp.js")).connectTcp(address, options);
    case "http":
      return (await import("./http-client.js")).connectHttp(address, options);
    case "h2":
      return (await import("./http2.js")).connectHttp2(address, options);
    case "grpc":
      return (await import("./grpc.js")).connectGrpc(address, options);
    case "ws":
      return (await import("./websocket.js")).connectWebSocket(address, options);
  }
}

async function readToken(token: ConnectOptions["token"]): Promise<string | undefined> {
  if (typeof token !== "object") return token;
  return (await import("./token.js")).readSecretFile(token.file);
}

function requireSecrecy(address: Address, { token }: ConnectOptions): void {
  if (token === undefined || !("host" in address)) return;
  if (address.secure || isLoopback(address.host)) return;
  const problem = `A token would cross the network in the clear: use TLS for ${formatAddress(address)}`;
  throw new TransportError("not_private", problem);
}

function unreachable(url: string, error: unknown): TransportError {
  const reasons: Record<string, string> = {
    ECONNREFUSED: "nothing listens there",
    ENOENT: "there is no such socket",
    ENOTFOUND: "the host is not known",
    EACCES: "there is no permission to",
  };
  const known = reasons[systemCode(error) ?? ""];
  const reason = known ?? (error instanceof Error ? error.message : "it does not answer");
  return new TransportError("unreachable", `Cannot connect to ${url}: ${reason}`, error);
}

const connectWaitMs = 30_000;
