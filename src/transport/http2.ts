import { once } from "node:events";
import {
  type ClientHttp2Stream,
  createSecureServer,
  createServer,
  type Http2Session,
  type Http2Stream,
  type IncomingHttpHeaders,
  connect as openSession,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AccessGuard } from "./access-guard.js";
import { authority, type NetworkAddress } from "./address.js";
import { byteChannel } from "./byte-channel.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./dial.js";
import { TransportError } from "./error.js";
import { type Exchange, HttpExchanges } from "./http-exchange.js";
import type { Listener } from "./listener.js";
import { remoteOf, startServer } from "./start-server.js";

/**
 * Listens for HTTP/2, one channel per stream: `POST /` whose body and response are lines of JSON,
 * or server-sent events as over HTTP/1.1.
 *
 * Without a certificate, clients need prior knowledge: there is no TLS to negotiate the protocol.
 */
export async function listenHttp2(address: NetworkAddress, guard: AccessGuard): Promise<Listener> {
  const server =
    guard.tls === undefined
      ? createServer(sessionOptions)
      : createSecureServer({ ...sessionOptions, ...guard.tls, handshakeTimeout: 10_000 });
  server.on("session", tendSession);
  const exchanges = new HttpExchanges(guard);
  server.on("stream", (stream, headers) => exchanges.serve(exchangeOf(stream, headers)));
  return startServer(server, address, guard);
}

/** Connects to an HTTP/2 server, with a dedicated connection. */
export async function connectHttp2(
  address: NetworkAddress,
  options: DialOptions,
): Promise<Channel> {
  const url = `${address.secure ? "https" : "http"}://${authority(address.host, address.port)}`;
  const session = openSession(url, { ...sessionOptions, ...options.tls });
  return whileDialing(
    options.signal,
    () => session.destroy(),
    async () => {
      session.on("error", () => {});
      await once(session, "connect", { signal: options.signal });
      widen(session);
      const stream = session.request(requestHeaders(options), { endStream: false });
      stream.once("close", () => session.close());
      await accepted(stream, options.signal);
      return streamChannel(stream);
    },
  );
}

function exchangeOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Exchange {
  stream.on("error", () => {});
  return {
    method: headers[":method"] ?? "",
    path: headers[":path"] ?? "",
    headers,
    host: headers[":authority"] ?? headers.host,
    input: stream,
    output: stream,
    info: { transport: "h2", remote: remoteOf(stream.session?.socket ?? {}) },
    respond(status, fields) {
      if (!stream.destroyed) stream.respond({ ":status": status, ...fields });
    },
    hangUp: () => linger(stream),
    isBroken: () => isBroken(stream),
  };
}

function streamChannel(stream: Http2Stream): Channel {
  return byteChannel({
    input: stream,
    output: stream,
    hangUp: () => linger(stream),
    isBroken: () => isBroken(stream),
  });
}

function isBroken({ rstCode }: Http2Stream): boolean {
  return rstCode !== undefined && rstCode !== 0;
}

/** Lets the peer end its half before the stream is destroyed. */
function linger(stream: Http2Stream): void {
  if (stream.closed) return;
  stream.resume();
  const timer = setTimeout(() => stream.close(), lingerMs).unref();
  stream.once("close", () => clearTimeout(timer));
}

/** Closes a session that has no stream after a while. */
function tendSession(session: ServerHttp2Session): void {
  let streams = 0;
  widen(session);
  session.on("error", () => {});
  session.on("stream", (stream) => {
    streams++;
    stream.once("close", () => streams--);
  });
  session.setTimeout(idleMs, () => {
    if (streams === 0) session.destroy();
  });
}

/** The default window of 64 KiB would make a large message wait for a thousand acknowledgements. */
function widen(session: Http2Session): void {
  session.setLocalWindowSize(windowBytes);
}

function requestHeaders({ token }: DialOptions) {
  const headers = { ":method": "POST", ":path": "/", "content-type": "application/x-ndjson" };
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
}

async function accepted(stream: ClientHttp2Stream, signal: AbortSignal): Promise<void> {
  // A server that closes the connection without a response is not an error of the stream.
  const closed = once(stream, "close", { signal }).then(() => {
    throw new Error("the server closed the connection");
  });
  const answer = once(stream, "response", { signal });
  const [headers] = (await Promise.race([answer, closed])) as [IncomingHttpHeaders];
  const status = headers[":status"];
  if (Number(status) === 200) return;
  const reason = Number(status) === 401 ? "the token" : `the connection (${status})`;
  throw new TransportError("unauthorized", `The server refused ${reason}`);
}

const windowBytes = 4 * 1024 * 1024;
const lingerMs = 1000;
const idleMs = 60_000;

const sessionOptions = {
  maxSessionMemory: 256,
  settings: {
    initialWindowSize: windowBytes,
    maxConcurrentStreams: 100,
    maxHeaderListSize: 16 * 1024,
    enablePush: false,
  },
};
