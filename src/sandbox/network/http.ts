import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorText } from "../../lib/errors.js";
import type { NoConnection, Target } from "./dial.js";
import { parseHost } from "./host.js";
import { forward, forwardUpgrade } from "./http-forward.js";
import {
  badRequest,
  blocked,
  clientErrors,
  type Refusal,
  rawResponse,
  refusalOf,
  refuse,
  unauthorized,
} from "./refusal.js";

/** Options for `createHttpProxy`. */
interface HttpProxyOptions {
  /** Permits only methods that read, and no tunnels. */
  readsOnly: boolean;
  /** Time for the headers of a request; default: 15 s. */
  headersTimeoutMs?: number | undefined;
  /** Checks the `Proxy-Authorization` header; absent: none is asked for. */
  isAuthorized?: ((header: string | undefined) => boolean) | undefined;
  connect(target: Target): Promise<Socket | NoConnection>;
  /** Takes over both sockets of a tunnel. */
  join(client: Socket, upstream: Socket, target: Target): void;
}

/** A proxy for HTTP; sockets are passed to it with its `connection` event. */
export interface HttpProxy {
  server: Server;
  /** Serves a tunnel that turned out to be plain HTTP: all requests must be for its target. */
  serveTunnel(client: Socket, target: Target): void;
}

/** Creates a proxy that answers `CONNECT` and requests with an absolute URL. */
export function createHttpProxy(options: HttpProxyOptions): HttpProxy {
  const tunnels = new WeakMap<Duplex, Target>();
  const targetOf = (request: IncomingMessage): Target | Refusal => {
    const tunnel = tunnels.get(request.socket);
    if (tunnel !== undefined) return sameHost(request, tunnel) ?? tunnel;
    if (options.isAuthorized?.(request.headers["proxy-authorization"]) === false)
      return unauthorized;
    if (options.readsOnly && !readingMethods.has(request.method ?? "")) {
      return blocked(`${request.method} is not permitted in limited mode`, "method-policy");
    }
    return requestTarget(request);
  };
  const connect = async (target: Target | Refusal): Promise<Socket | Refusal> => {
    if ("code" in target) return target;
    const upstream = await options.connect(target);
    return "status" in upstream ? refusalOf(upstream) : upstream;
  };
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? usualHeadersTimeout,
    requestTimeout: 0,
    keepAliveTimeout,
    connectionsCheckingInterval: 1_000,
  });
  // It never listens itself, but only then checks the time that headers take.
  server.emit("listening");
  server.on("request", async (request, response) => {
    const upstream = await connect(targetOf(request));
    if ("code" in upstream) return refuse(response, upstream);
    forward(request, response, upstream);
  });
  server.on("upgrade", async (request, socket: Socket, head) => {
    socket.on("error", () => {});
    const upstream = await connect(targetOf(request));
    if ("code" in upstream) return void socket.end(rawResponse(upstream));
    forwardUpgrade(request, socket, head, upstream);
  });
  server.on("connect", async (request, socket: Socket, head) => {
    socket.on("error", () => {});
    const target = tunnels.has(socket) ? nested : targetOf(request);
    const upstream = await connect(target);
    if ("code" in upstream || "code" in target) {
      return void socket.end("code" in upstream ? rawResponse(upstream) : "");
    }
    if (socket.destroyed) return void upstream.destroy();
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    options.join(socket, upstream, target);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // The rest of a broken request is read and ignored: closing at once would discard the answer.
    if (!socket.writable) return;
    socket.end(rawResponse(clientErrors[error.code ?? ""] ?? badRequest(errorText(error))));
    setTimeout(() => socket.destroy(), timeForAnswer).unref();
  });
  return {
    server,
    serveTunnel(client, target) {
      tunnels.set(client, target);
      server.emit("connection", client);
    },
  };
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const usualHeadersTimeout = 15_000;
const timeForAnswer = 1_000;
const keepAliveTimeout = 15_000;

const nested = badRequest("CONNECT inside of a tunnel is not supported.");

/** Returns the target of a proxy request: `host:port` of CONNECT, or the origin of the URL. */
function requestTarget(request: IncomingMessage): Target | Refusal {
  const { method, url = "" } = request;
  if (method === "CONNECT") {
    const [, host = "", port = ""] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(url) ?? [];
    if (host === "") return badRequest(`Expected CONNECT host:port (got ${JSON.stringify(url)}).`);
    return { host, port: Number(port) };
  }
  const absolute = /^http:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (absolute === undefined || absolute.username !== "" || absolute.password !== "") {
    return badRequest(`Expected an absolute http:// URL, or CONNECT (got ${JSON.stringify(url)}).`);
  }
  const target = { host: absolute.hostname, port: Number(absolute.port || 80) };
  return sameHost(request, target) ?? target;
}

/** Refuses a request whose `Host` header names another host than its target. */
function sameHost(request: IncomingMessage, target: Target): Refusal | undefined {
  const names = request.rawHeaders.filter((_, index, all) => {
    return index % 2 === 1 && all[index - 1]?.toLowerCase() === "host";
  });
  const [wanted, ...given] = [target.host, ...names.map((name) => name.replace(/:\d*$/, ""))];
  const expected = parseHost(wanted ?? "")?.text;
  const isSame = given.length <= 1 && given.every((name) => parseHost(name)?.text === expected);
  if (isSame) return undefined;
  return blocked(`the Host header ${names.join(", ")} is not the target ${target.host}`, "policy");
}
