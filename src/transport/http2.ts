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
import { authority, type NetworkAddress } from "./address.js";
import { byteChannel } from "./byte-channel.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./connect.js";
import type { Door } from "./door.js";
import { TransportError } from "./error.js";
import type { Listener } from "./listen.js";
import { remoteOf, startServer } from "./start-server.js";

/**
 * HTTP/2, a channel a stream: `POST /` whose body and answer are lines of JSON.
 *
 * Without a certificate it is spoken with prior knowledge, as there is nothing to negotiate over.
 */
export async function listenHttp2(address: NetworkAddress, door: Door): Promise<Listener> {
  const server =
    door.tls === undefined
      ? createServer(sessionOptions)
      : createSecureServer({ ...sessionOptions, ...door.tls, handshakeTimeout: 10_000 });
  server.on("session", tendSession);
  server.on("stream", (stream, headers) => serveStream(stream, headers, door));
  return startServer(server, address, door);
}

/** Connects to an HTTP/2 server, with a connection of its own. */
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

function serveStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, door: Door): void {
  stream.on("error", () => {});
  const [status, text] = answerTo(headers, door);
  if (text !== undefined) {
    stream.respond({ ":status": status, "content-type": "text/plain" });
    stream.end(text);
    return;
  }
  stream.respond({ ":status": status, "content-type": "application/x-ndjson" });
  const channel = streamChannel(stream);
  stream.once("close", () => door.left(channel));
  door.enter(channel, { transport: "h2", remote: remoteOf(stream.session?.socket ?? {}) });
}

/** A status alone opens a channel; with a text it is the whole answer. */
function answerTo(headers: IncomingHttpHeaders, door: Door): [status: number, text?: string] {
  const { ":path": path, ":method": method, origin, authorization } = headers;
  const host = headers[":authority"] ?? headers.host;
  const isProbe = path === "/readyz" || path === "/healthz";
  const fetchSite = headers["sec-fetch-site"]?.toString();
  const caller = { host, origin, authorization, fetchSite };
  const refusal = isProbe ? door.strangerOf(caller) : door.refusalOf(caller);
  if (refusal !== undefined) return [refusal.status, `${refusal.reason}\n`];
  if (isProbe) return method === "GET" ? [200, ""] : [405, "Use GET\n"];
  if (path !== "/") return [404, "Channels are opened by POST /\n"];
  return method === "POST" ? [200] : [405, "Use POST\n"];
}

function streamChannel(stream: Http2Stream): Channel {
  return byteChannel({
    input: stream,
    output: stream,
    hangUp: () => linger(stream),
    isBroken: () => stream.rstCode !== undefined && stream.rstCode !== 0,
  });
}

/** Lets the peer end its half before the stream is taken from under it. */
function linger(stream: Http2Stream): void {
  if (stream.closed) return;
  stream.resume();
  const timer = setTimeout(() => stream.close(), lingerMs).unref();
  stream.once("close", () => clearTimeout(timer));
}

/** A session without a stream is let go after a while. */
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

/** A window of the usual 64 KiB would make a large message wait for a thousand answers. */
function widen(session: Http2Session): void {
  session.setLocalWindowSize(windowBytes);
}

function requestHeaders({ token }: DialOptions) {
  const headers = { ":method": "POST", ":path": "/", "content-type": "application/x-ndjson" };
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
}

async function accepted(stream: ClientHttp2Stream, signal: AbortSignal): Promise<void> {
  // A server that hangs up without a word is no error of the stream.
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
