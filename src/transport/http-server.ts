import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { AccessGuard } from "./access-guard.js";

/** Creates an HTTP/1.1 server, over TLS if a certificate is configured, with limits for slow peers. */
export async function createHttpServer(
  guard: AccessGuard,
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
  if (guard.tls === undefined) return createServer(limits, onRequest);
  const https = await import("node:https");
  return https.createServer({ ...limits, ...guard.tls, handshakeTimeout: 10_000 }, onRequest);
}
