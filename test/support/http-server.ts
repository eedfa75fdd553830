import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A server on loopback with a handler of the test; dispose it with `await using`. */
export interface TestServer extends AsyncDisposable {
  url: string;
  port: number;
  /** All connections, open and closed. */
  sockets: Socket[];
  requests: IncomingMessage[];
  /** Sets the handler of requests for another protocol, such as WebSocket. */
  onUpgrade(handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
}

/** Starts a server that calls `answer` once a request is read completely. */
export async function startServer(answer: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(incoming);
    incoming.resume().on("end", () => answer(incoming, outgoing));
  });
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    sockets,
    requests,
    onUpgrade: (handle) => void server.on("upgrade", handle),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Formats an SSE event. */
export function sse(event: Record<string, unknown>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Formats a text delta of the model. */
export function textDelta(delta: string): string {
  return sse({ type: "response.output_text.delta", delta });
}

export const completed = sse({ type: "response.completed", response: { id: "r" } });

/** Responds with a complete stream. */
export function answerWith(outgoing: ServerResponse, ...pieces: (string | Buffer)[]): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of pieces) outgoing.write(piece);
  outgoing.end();
}
