import type { Server } from "node:http";
import type { WebSocket } from "ws";
import { parseRecord } from "../../protocol/read/check.js";
import type { BuiltAnswer } from "./build-answer.js";

/** A request that came over a WebSocket. */
export interface SocketRequest {
  url: string;
  headers: Readonly<Record<string, unknown>>;
  /** The JSON of `response.create`, without its type. */
  body: string;
}

/** Accepts WebSockets on a server, and answers each `response.create` with the events of an answer. */
export function acceptSockets(
  server: Server,
  answer: (request: SocketRequest) => BuiltAnswer,
): void {
  server.on("upgrade", (request, socket, head) => {
    const { url = "", headers } = request;
    // Loaded for the first one: most scripted models are asked over HTTP alone.
    void import("ws").then(({ WebSocketServer }) => {
      const accepting = new WebSocketServer({ noServer: true, maxPayload: largestRequest });
      accepting.handleUpgrade(request, socket, head, (ws) => {
        ws.on("error", () => undefined);
        ws.on("message", (data: Buffer) => {
          const { type, ...body } = parseRecord(data.toString("utf8")) ?? {};
          if (type !== "response.create") return ws.close(1008, "expected response.create");
          void play(answer({ url, headers, body: JSON.stringify(body) }), ws);
        });
      });
    });
  });
}

const largestRequest = 256 * 1024 * 1024;

async function play({ status, headers, parts, ending }: BuiltAnswer, ws: WebSocket): Promise<void> {
  if (status !== 200) {
    const text = parts.filter((part) => typeof part === "string").join("");
    const { error = { message: text } } = parseRecord(text) ?? {};
    ws.send(JSON.stringify({ type: "error", status, error, headers }));
    return;
  }
  for (const part of parts) {
    if (ws.readyState !== ws.OPEN) return;
    if (typeof part !== "string") await pause(part.pauseMs);
    else for (const event of eventsIn(part)) ws.send(event);
  }
  const isComplete = parts.some((part) => typeof part === "string" && lastEvent.test(part));
  if (ending === "cut") ws.terminate();
  else if (ending === "end" && !isComplete) ws.close(1000);
}

const lastEvent = /^event: (?:response\.(?:completed|done|failed|incomplete)|error)$/m;

/** Returns the data of the events in a text. */
function eventsIn(text: string): string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
