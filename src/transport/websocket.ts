import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import type { AccessGuard, Caller, Refusal } from "./access-guard.js";
import { authority, type NetworkAddress } from "./address.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./dial.js";
import { TransportError } from "./error.js";
import { createHttpServer } from "./http-server.js";
import type { ConnectionInfo, Listener } from "./listener.js";
import { maxMessageBytes } from "./parse-message.js";
import { answerProbe, type ProbeAnswer, probePaths } from "./probes.js";
import { remoteOf, startServer } from "./start-server.js";
import { webSocketChannel } from "./websocket-channel.js";

/** Listens for WebSocket over TCP, or over TLS if a certificate is configured. */
export async function listenWebSocket(
  address: NetworkAddress,
  guard: AccessGuard,
): Promise<Listener> {
  return startServer(await createUpgradeServer(guard, "ws"), address, guard);
}

/** Creates an HTTP server that upgrades to WebSocket and answers other requests with a health check. */
export async function createUpgradeServer(
  guard: AccessGuard,
  transport: ConnectionInfo["transport"],
): Promise<Server> {
  const server = await createHttpServer(guard, async (request, response) => {
    const [status, text, type = "text/plain"] = await answerTo(request, guard);
    const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
    response.writeHead(status, { "content-type": type, ...challenge });
    response.end(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  });
  acceptUpgrades(server, {
    refusalOf: (request) => guard.refusalOf(callerOf(request)),
    onChannel(channel, { socket }) {
      guard.admit(channel, { transport, remote: remoteOf(socket) });
      return () => guard.forget(channel);
    },
  });
  return server;
}

/** Decides on upgrade requests, and receives the channels of accepted ones. */
export interface UpgradeRules {
  refusalOf(request: IncomingMessage): Refusal | undefined;
  /** Returns a function that is called when the channel has closed. */
  onChannel(channel: Channel, request: IncomingMessage): () => void;
}

/** Upgrades requests of an HTTP server to WebSocket. */
export function acceptUpgrades(server: Server, { refusalOf, onChannel }: UpgradeRules): void {
  const upgrades = new WebSocketServer({ noServer: true, ...frameOptions });
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(socket, refusal.status, refusal.reason);
    upgrades.handleUpgrade(request, socket, head, (ws) => {
      socket.setNoDelay(true).setKeepAlive(true, 60_000);
      ws.once("close", onChannel(webSocketChannel(ws, socket), request));
    });
  });
}

/** Connects to a WebSocket server. */
export async function connectWebSocket(
  address: NetworkAddress,
  options: DialOptions,
): Promise<Channel> {
  const scheme = address.secure ? "wss" : "ws";
  const url = `${scheme}://${authority(address.host, address.port)}/`;
  return join(new WebSocket(url, { ...clientOptions(options), ...options.tls }), options);
}

/** Connects to a WebSocket server over an existing stream. */
export async function connectWebSocketOver(
  createConnection: () => Socket,
  options: DialOptions,
): Promise<Channel> {
  const settings = { ...clientOptions(options), createConnection };
  return join(new WebSocket("ws://localhost/", settings), options);
}

async function join(ws: WebSocket, { signal }: DialOptions): Promise<Channel> {
  let channel: Channel | undefined;
  ws.on("error", () => {}); // also after we gave up
  // Synchronously: the first message of the server can arrive together with its response.
  ws.once("upgrade", ({ socket }: IncomingMessage) => {
    channel = webSocketChannel(ws, socket);
  });
  const refused = new Promise<never>((_, reject) => {
    ws.once("unexpected-response", (_, response) => reject(refusalBy(response)));
  });
  return whileDialing(
    signal,
    () => ws.terminate(),
    async () => {
      await Promise.race([once(ws, "open", { signal }), refused]);
      if (channel === undefined) throw new Error("the connection opened without a response");
      return channel;
    },
  );
}

/** Returns the response to a plain request; nothing in the request has any effect. */
function answerTo(
  request: IncomingMessage,
  guard: AccessGuard,
): ProbeAnswer | Promise<ProbeAnswer> {
  const { url: path = "", method = "" } = request;
  const caller = callerOf(request);
  if (probePaths.has(path)) return answerProbe({ path, method }, caller, guard);
  const refusal = guard.pageRefusalOf(caller);
  if (refusal !== undefined) return [refusal.status, refusal.reason];
  return [404, "This is a WebSocket server; /readyz and /healthz say that it is alive"];
}

function callerOf({ headers }: IncomingMessage): Caller {
  const { host, origin, authorization } = headers;
  return { host, origin, authorization, fetchSite: headers["sec-fetch-site"]?.toString() };
}

function refuse(socket: Socket, status: number, reason: string): void {
  const names: Record<number, string> = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
  };
  const challenge = status === 401 ? "WWW-Authenticate: Bearer\r\n" : "";
  socket.on("error", () => {});
  socket.end(
    `HTTP/1.1 ${status} ${names[status] ?? "Service Unavailable"}\r\n${challenge}` +
      `Content-Type: text/plain\r\nContent-Length: ${reason.length + 1}\r\n` +
      `Connection: close\r\n\r\n${reason}\n`,
  );
}

function refusalBy(response: IncomingMessage): TransportError {
  response.resume();
  const { statusCode } = response;
  if (statusCode === 401) {
    return new TransportError("unauthorized", "The server refused the token");
  }
  return new TransportError("unauthorized", `The server refused the connection (${statusCode})`);
}

function clientOptions({ token }: DialOptions) {
  return token === undefined
    ? frameOptions
    : { ...frameOptions, headers: { authorization: `Bearer ${token}` } };
}

/** Invalid UTF-8 affects only its own message, as on every transport, and not the connection. */
const frameOptions = {
  maxPayload: maxMessageBytes,
  perMessageDeflate: false,
  skipUTF8Validation: true,
  // Closing is supervised here: a slow reader gets time to read sent messages.
  closeTimeout: 600_000,
};
