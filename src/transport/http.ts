import type { IncomingMessage, ServerResponse } from "node:http";
import type { NetworkAddress } from "./address.js";
import type { Door } from "./door.js";
import { type Exchange, HttpExchanges } from "./http-exchange.js";
import { createHttpServer } from "./http-server.js";
import type { Listener } from "./listen.js";
import { remoteOf, startServer } from "./start-server.js";

/** HTTP/1.1: messages come in requests and go out as server-sent events or lines. */
export async function listenHttp(address: NetworkAddress, door: Door): Promise<Listener> {
  const exchanges = new HttpExchanges(door);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    exchanges.serve(exchangeOf(request, response));
  };
  const server = await createHttpServer(door, serve, waitsForReader);
  // A client has a connection for what it hears and one for what it says.
  return startServer(server, address, door, { socketsPerClient: 2 });
}

/** A request waits for as long as its messages are not read. */
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
      // What was refused may still be sending; nothing else is read from there.
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
