import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { WebSocketServer } from "ws";
import { startServer, type TestServer } from "../../support/http-server.js";

/** A stream of bytes as an answer. */
export interface ByteAnswer {
  status?: number;
  headers?: Record<string, string>;
  pieces: Iterable<string | Buffer>;
  /** True if the connection is lost at the end. */
  isCut?: boolean;
}

/** Starts a server that answers every request with these bytes. */
export function serveBytes(answer: ByteAnswer): Promise<TestServer> {
  return startServer((_, response) => void writeAll(response, answer));
}

async function writeAll(
  response: ServerResponse,
  { status = 200, headers = {}, pieces, isCut = false }: ByteAnswer,
): Promise<void> {
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  const written = pipeline(Readable.from(pieces), response, { end: !isCut });
  await written.catch(() => undefined); // the client may have read enough
  if (isCut) response.socket?.end();
}

/** A server that answers every message on a WebSocket with these frames, and closes the connection. */
export async function serveFrames(frames: readonly (string | Buffer)[]): Promise<TestServer> {
  const server = await startServer((_, response) => response.writeHead(500).end());
  const sockets = new WebSocketServer({ noServer: true });
  server.onUpgrade((request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (connection) => {
      connection.on("error", () => undefined);
      connection.once("message", () => {
        for (const frame of frames) connection.send(frame);
        connection.close();
      });
    }),
  );
  return server;
}

/** Formats events for the wire. */
export function toBytes(events: readonly (object | string)[], lineEnd = "\n"): Buffer {
  const lines = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  return Buffer.from(lines.map((line) => `data: ${line}${lineEnd}${lineEnd}`).join(""));
}

/** Cuts bytes at offsets, also inside characters and line ends. */
export function cutAt(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const places = [...new Set(offsets.map((offset) => offset % bytes.length))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, at) => bytes.subarray(places[at - 1] ?? 0, end));
}
