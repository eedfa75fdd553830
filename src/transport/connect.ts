import { withSignals } from "../lib/join-signals.js";
import { type Address, formatAddress, isLoopback, parseAddress } from "./address.js";
import type { Channel } from "./channel.js";
import type { ClientTls, DialOptions } from "./dial.js";
import { systemCode, TransportError } from "./error.js";

/** Options for `connect`. */
export interface ConnectOptions {
  /** The token that the server requires, or a file of mode 0600 that contains it. */
  token?: string | { file: string };
  /** Trusted and client certificates for connections over TLS. */
  tls?: ClientTls;
  /** Cancels connecting; has no effect on an established connection. */
  signal?: AbortSignal;
}

/** Connects to a server. Rejects if it cannot be reached or refuses the connection. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Channel> {
  options.signal?.throwIfAborted();
  const given = parseAddress(url);
  const address = "host" in given && options.tls ? { ...given, secure: true } : given;
  requireSecrecy(address, options);
  const token = await readToken(options.token);
  const limit = AbortSignal.timeout(connectWaitMs);
  const signals = options.signal === undefined ? [limit] : [options.signal, limit];
  try {
    return await withSignals(signals, (signal) =>
      dial(address, { token, tls: options.tls, signal }),
    );
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error instanceof TransportError ? error : unreachable(url, limit.aborted ? limit : error);
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
