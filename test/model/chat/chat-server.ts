import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Response to one request. */
export interface ChatAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Body of a response that is not a stream. */
  body?: unknown;
  /** Chunks of the stream: JSON, or text such as `[DONE]`. */
  chunks?: (object | string)[];
  /** End of the stream; default: regular. */
  ends?: "cut" | "hang";
}

/** A received request. */
export interface ChatRequest {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** A Chat Completions model on loopback; dispose it with `await using`. */
export interface ChatServer extends AsyncDisposable {
  baseUrl: string;
  requests: ChatRequest[];
}

/** Starts a server that responds in the order of its script. */
export async function startChatServer(script: ChatAnswer[]): Promise<ChatServer> {
  const answers = [...script];
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    requests.push({ url, headers, body: JSON.parse(await text(request)) });
    const { status = 200, body, chunks = [], ends, ...answer } = answers.shift() ?? { status: 500 };
    const type = body === undefined ? "text/event-stream" : "application/json";
    response.writeHead(status, { "content-type": type, ...answer.headers });
    response.flushHeaders();
    if (body !== undefined) return response.end(JSON.stringify(body));
    for (const chunk of chunks) response.write(toEvent(chunk));
    if (ends === "hang") return;
    if (ends === "cut") response.write("", () => request.socket.destroy());
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Formats a chunk for the wire. */
export function toEvent(chunk: object | string): string {
  return `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`;
}

/** Creates a chunk with a delta. */
export function adds(delta: object, more: object = {}): object {
  return { id: "chatcmpl-1", choices: [{ index: 0, delta, finish_reason: null, ...more }] };
}

/** Creates the chunk with the finish reason. */
export function finishes(reason: string): object {
  return adds({}, { finish_reason: reason });
}

/** The chunk with the usage. */
export const counts = {
  id: "chatcmpl-1",
  choices: [],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};

/** The usage of `counts` as the engine sees it. */
export const usage = {
  input_tokens: 10,
  cached_input_tokens: 4,
  output_tokens: 5,
  reasoning_output_tokens: 2,
  total_tokens: 15,
};
