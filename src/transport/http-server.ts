import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Door } from "./door.js";

/** Creates an HTTP/1.1 server, over TLS if the door has a certificate, with limits for slow peers. */
export async function createHttpServer(
  door: Door,
  onRequest: RequestListener,
  options: ServerOptions = {},
): Promise<Server> {
  const limits = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 5000,
    ...options,
  };
  if (door.tls === undefined) return createServer(limits, onRequest);
  const https = await import("node:https");
  return https.createServer({ ...limits, ...door.tls, handshakeTimeout: 10_000 }, onRequest);
}
