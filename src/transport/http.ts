import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccessGuard } from "./access-guard.js";
import type { NetworkAddress } from "./address.js";
import { type Exchange, HttpExchanges } from "./http-exchange.js";
import { createHttpServer } from "./http-server.js";
import type { Listener } from "./listener.js";
import { remoteOf, startServer } from "./start-server.js";

/** Listens for HTTP/1.1: messages arrive in requests and leave as server-sent events or lines. */
export async function listenHttp(address: NetworkAddress, guard: AccessGuard): Promise<Listener> {
  const exchanges = new HttpExchanges(guard);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    exchanges.serve(exchangeOf(request, response));
  };
  const server = await createHttpServer(guard, serve, waitsForReader);
  // A client has one connection to receive and one to send.
  return startServer(server, address, guard, { socketsPerClient: 2 });
}

/** A request stays open as long as its messages are not read. */
const waitsForReader = { requestTimeout: 0, keepAliveTimeout: 65_000 };

function exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
  const { method = "", url = "", headers } = request;
  request.on("error", () => {});
  response.on("error", () => {});
  return {
    method,
    path: url,
    headers,
    host: headers.host,
    input: request,
    output: response,
    info: { transport: "http", remote: remoteOf(request.socket) },
    respond(status, fields) {
      // The client may still be sending a refused request; nothing more is read from it.
      if (status >= 400) response.shouldKeepAlive = false;
      response.writeHead(status, fields);
    },
    hangUp() {
      if (request.complete || request.destroyed) return;
      request.resume();
      const timer = setTimeout(() => request.destroy(), lingerMs).unref();
      request.once("close", () => clearTimeout(timer));
    },
    isBroken: () => !request.complete,
  };
}

const lingerMs = 1000;
