import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { findRoute, type Route } from "./http-route.js";
import type { Environment } from "./request-target.js";
import { BodyText, decoded } from "./response-body.js";
import type { ResponseSockets } from "./socket/index.js";
import type { ModelAnswer, ModelRequest, ModelTransport } from "./transport.js";

/** Time limit for the rest of a response before its connection is closed. */
const drainLimitMs = 500;

/** Time limit for the next request to wait for the connection of this one. */
const drainMomentMs = 10;

/**
 * Sends requests over HTTP or HTTPS with keep-alive.
 *
 * A request with `socket` goes over a WebSocket if the server accepts one. Uses the proxy and the certificates that the
 * environment configures. Silently retries once if a
 * kept-alive connection turns out to be closed. Must be closed.
 */
export class HttpTransport implements ModelTransport {
  #env: Environment;
  #sockets: Promise<ResponseSockets> | undefined;
  #routes = new Map<string, Promise<Route>>();

  constructor(env: Environment) {
    this.#env = env;
  }

  async post(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted();
    if (request.socket !== undefined) {
      const answer = await (await this.#openSockets()).post(request, signal);
      if (answer !== undefined) return answer;
    }
    const route = await this.#route(request.url);
    try {
      return await send(route, request, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof StaleConnection)) throw error;
      dropIdle(route.agent);
      return await send(route, request, signal);
    }
  }

  close(): void {
    void this.#sockets?.then((sockets) => sockets.close());
    this.#sockets = undefined;
    for (const route of this.#routes.values()) {
      route.then(
        ({ agent }) => agent.destroy(),
        () => undefined,
      );
    }
    this.#routes.clear();
  }

  /** Loads WebSockets when the first request may use one. */
  #openSockets(): Promise<ResponseSockets> {
    this.#sockets ??= import("./socket/index.js").then(
      ({ ResponseSockets }) => new ResponseSockets((url) => this.#route(url)),
    );
    return this.#sockets;
  }

  #route(url: string): Promise<Route> {
    let route = this.#routes.get(url);
    if (route === undefined) {
      route = findRoute(new URL(url), this.#env);
      this.#routes.set(url, route);
      // A failed route is not cached: the file it needs may exist next time.
      route.catch(() => this.#routes.delete(url));
    }
    return route;
  }
}

/** Thrown if a kept-alive connection was closed in the meantime. */
class StaleConnection extends Error {}

function send(route: Route, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      ...route.target,
      method: "POST",
      agent: route.agent,
      headers: {
        ...route.headers,
        ...request.headers,
        "content-length": request.body.length,
      },
    };
    const outgoing = route.request(options);
    const onAbort = () => {
      outgoing.destroy();
      // A request that still waits for a connection emits no event when it is aborted.
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    outgoing.once("close", () => signal.removeEventListener("abort", onAbort));
    outgoing.on("error", (error) =>
      reject(isStale(outgoing, error) ? new StaleConnection() : error),
    );
    outgoing.once("response", (incoming) => {
      toAnswer(incoming, outgoing, route.statusNames).then(resolve, (error) => {
        outgoing.destroy();
        reject(error);
      });
    });
    outgoing.end(request.body);
  });
}

async function toAnswer(
  incoming: IncomingMessage,
  outgoing: ClientRequest,
  statusNames: Route["statusNames"],
): Promise<ModelAnswer> {
  // Until the reader subscribes, a lost connection must not crash the process.
  incoming.on("error", () => undefined);
  const status = incoming.statusCode ?? 0;
  const text = new BodyText(await decoded(incoming), () => incoming.complete);
  return {
    status,
    statusLine: `${status} ${statusNames[status] ?? "<unknown status code>"}`,
    headers: incoming.headers,
    next: () => text.next(),
    drain: () => drain(text, outgoing),
    close: () => void outgoing.destroy(),
  };
}

/** Reads and discards the rest; at its end the connection returns to the agent. */
function drain(text: BodyText, outgoing: ClientRequest): Promise<void> {
  if (outgoing.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const moment = setTimeout(resolve, drainMomentMs);
    const limit = setTimeout(() => outgoing.destroy(), drainLimitMs);
    outgoing.once("close", () => {
      clearTimeout(moment);
      clearTimeout(limit);
      resolve();
    });
    text.letPass();
  });
}

function isStale(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** If one kept-alive connection is dead, the others likely are too. */
function dropIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
