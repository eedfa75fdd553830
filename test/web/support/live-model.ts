import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer of the model that the test writes piece by piece. */
export class LiveAnswer {
  #response: ServerResponse;
  #id: string;
  #text = "";

  constructor(response: ServerResponse, number: number) {
    this.#response = response;
    this.#id = `msg_${number}`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    this.#send({ type: "response.created", response: { id: `resp_${number}` } });
    const item = { type: "message", role: "assistant", id: this.#id, content: [] };
    this.#send({ type: "response.output_item.added", output_index: 0, item });
  }

  /** Sends the next part of the message. */
  say(delta: string): void {
    this.#text += delta;
    const place = { item_id: this.#id, output_index: 0, content_index: 0 };
    this.#send({ type: "response.output_text.delta", ...place, delta });
  }

  /** Ends the answer with a call of a tool. */
  call(name: string, input: object): void {
    const call = { name, arguments: JSON.stringify(input), call_id: `call_${this.#id}` };
    this.finish({ type: "function_call", id: `fc_${this.#id}`, ...call });
  }

  /** Ends the answer. */
  finish(...more: object[]): void {
    const content = [{ type: "output_text", text: this.#text, annotations: [] }];
    const item = { type: "message", role: "assistant", id: this.#id, content };
    for (const [output_index, done] of [item, ...more].entries()) {
      this.#send({ type: "response.output_item.done", output_index, item: done });
    }
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    this.#send({ type: "response.completed", response: { id: `resp_${this.#id}`, usage } });
    this.#response.end();
  }

  #send(event: { type: string; [field: string]: unknown }): void {
    this.#response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
}

/** A model whose answers are written by the test while the page watches. */
export async function listenLiveModel() {
  const answers: LiveAnswer[] = [];
  const waiting: ((answer: LiveAnswer) => void)[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    if (!request.url?.endsWith("/responses")) {
      response.writeHead(404).end();
      return;
    }
    request.resume();
    const answer = new LiveAnswer(response, ++count);
    const next = waiting.shift();
    if (next === undefined) answers.push(answer);
    else next(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Resolves to the answer to the next request. */
    async nextAnswer(): Promise<LiveAnswer> {
      return answers.shift() ?? new Promise((resolve) => waiting.push(resolve));
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
