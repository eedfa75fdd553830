import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json, ModelRequest, ModelResponse, Trace } from "../trace/trace.js";
import { createAnswerQueue } from "./answer-queue.js";

/** A model endpoint on loopback that gives recorded answers in their order. */
export interface ModelServer {
  port: number;
  /** Requests received so far. */
  requests: ModelRequest[];
  /** Sets the function that fills the values of this run into an answer before it is sent. */
  fillWith(fill: (answer: Json) => Promise<Json>): void;
  close(): Promise<void>;
}

/** Starts the endpoint on a free port. */
export async function startModelServer(
  trace: Pick<Trace, "requests" | "responses">,
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const answerTo = createAnswerQueue(trace);
  let fill = async (answer: Json) => answer;
  const stop = new AbortController();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // the client has gone
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    // Programs also request lists of models and the like; only model requests are part of a trace.
    if (request.method !== "POST") return refuse(response, 404, "not recorded");
    const received = toRequest(request, body);
    requests.push(received);
    const recorded = answerTo(received);
    if (!recorded) return refuse(response, 500, `the trace has no answer ${requests.length - 1}`);
    const filled = await fill(recorded as unknown as Json);
    await send(filled as unknown as ModelResponse, response, stop.signal);
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    fillWith(filler) {
      fill = filler;
    },
    async close() {
      stop.abort();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function send(
  recorded: ModelResponse,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (!recorded.sse) {
    const body = recorded.body ?? "";
    response.writeHead(recorded.status, {
      "content-type": "application/json",
      ...recorded.headers,
    });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
    return;
  }
  response.writeHead(recorded.status, { "content-type": "text/event-stream", ...recorded.headers });
  response.flushHeaders();
  for (const step of recorded.sse) {
    if (typeof step.$delay_ms === "number") await sleep(step.$delay_ms, undefined, { signal });
    if (step.$hang) return; // stays open until the server closes
    if (step.$cut) {
      // Flush pending output first, so that the cut comes where it was recorded.
      await sleep(20, undefined, { signal });
      response.destroy();
      return;
    }
    if (step.$end) break;
    if (typeof step.type !== "string") continue;
    if (response.destroyed) return;
    response.write(`event: ${step.type}\ndata: ${JSON.stringify(step)}\n\n`);
  }
  response.end();
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message } }));
}

function toRequest(request: IncomingMessage, body: string): ModelRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  return { method: request.method ?? "", url: request.url ?? "", headers, body: parseBody(body) };
}

function parseBody(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
