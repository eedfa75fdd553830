import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestOf,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { errorText } from "../../lib/errors.js";
import { rawResponse, refusalOf, refuse } from "./refusal.js";
import { closeTogether } from "./tunnel.js";

/** Passes a request on over an open connection, and its response back. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Socket,
): void {
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const extra = isChunked ? { "Transfer-Encoding": "chunked" } : {};
  const outgoing = requestOver(upstream, request, { ...extra, Connection: "close" });
  outgoing.on("response", (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, endToEnd(incoming));
    pipeline(incoming, response, () => upstream.destroy());
  });
  outgoing.on("error", (error) => {
    if (response.headersSent) response.destroy();
    else refuse(response, refusalOf({ status: "failed", reason: errorText(error) }));
  });
  response.on("close", () => upstream.destroy());
  pipeline(request, outgoing, () => {});
}

/** Passes on a change of protocol, such as to WebSocket, once the target has agreed to it. */
export function forwardUpgrade(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  upstream: Socket,
): void {
  const extra = { Connection: "Upgrade", Upgrade: request.headers.upgrade ?? "" };
  const outgoing = requestOver(upstream, request, extra);
  outgoing.on("upgrade", (incoming, socket, first) => {
    const { statusCode, statusMessage, rawHeaders } = incoming;
    const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    client.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("")}\r\n`);
    client.write(first);
    socket.write(head);
    client.pipe(socket).pipe(client);
    closeTogether(client, socket);
  });
  outgoing.on("response", ({ statusCode = 502, statusMessage: title = "" }) => {
    const reason = "The target did not accept the upgrade.";
    client.end(rawResponse({ code: statusCode, title, reason }));
    upstream.destroy();
  });
  outgoing.on("error", () => client.destroy());
  client.on("close", () => upstream.destroy());
  outgoing.end();
}

/** Headers that concern one connection only. */
const hopHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

function endToEnd(message: IncomingMessage): OutgoingHttpHeaders {
  const named = (message.headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const headers: Record<string, string[]> = Object.create(null);
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = message.rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    if (hopHeaders.has(key) || (named.includes(key) && key !== "host")) continue;
    headers[name] = [...(headers[name] ?? []), value];
  }
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, [first = "", ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more],
    ]),
  );
}

/** Starts a request to the target over an open connection. */
function requestOver(upstream: Socket, request: IncomingMessage, extra: OutgoingHttpHeaders) {
  const { method = "GET", url = "/" } = request;
  const path = url.startsWith("/") || url === "*" ? url : pathOf(url);
  const headers = { ...endToEnd(request), ...extra };
  return requestOf({ method, path, headers, setHost: true, createConnection: () => upstream });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
