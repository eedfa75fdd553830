import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTestServer } from "./mcp-server.js";

/** A well-behaved MCP server over HTTP, in this process. */
export interface HttpMcpServer extends AsyncDisposable {
  url: string;
  origin: string;
  /** Requests to the server, in order. */
  requests: IncomingMessage[];
  /** Drops all sessions, as a restarted server does. */
  forget(): void;
}

/** Intercepts a request before the server sees it; returns true if it was answered. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Starts the server on loopback; dispose it with `await using`. */
export async function startHttpMcpServer(intercept?: Intercept): Promise<HttpMcpServer> {
  const requests: IncomingMessage[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    if (intercept?.(request, response)) return;
    requests.push(request);
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return endWith(response, 404, "Session not found");
    const transport = known ?? (await newSession(sessions));
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    forget: () => sessions.clear(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function newSession(
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  // The types of the SDK conflict under exactOptionalPropertyTypes.
  await createTestServer().connect(transport as Parameters<Connect>[0]);
  return transport;
}

type Connect = ReturnType<typeof createTestServer>["connect"];

/** Responds with a text. */
export function endWith(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain", ...headers });
  response.end(text);
}
