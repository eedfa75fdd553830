import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AnswerName, buildAnswers } from "./model-answers.js";

/** A model that costs next to nothing, behind a port of this machine. Must be closed. */
export interface CheapModel {
  /** Value of `base_url` for one program, which selects its answer. */
  baseUrl(answer: AnswerName): string;
  close(): Promise<void>;
}

/** Serves answers that are built once, as bytes; a request is not parsed. */
export async function listenCheapModel(deltas: number): Promise<CheapModel> {
  const answers = buildAnswers(deltas);
  // How often each program has asked: where it takes one turn at a time, answers come in turn.
  const asked: number[] = [];
  const server = createServer((incoming, outgoing) => {
    let hasOutput = false;
    incoming.on("data", (piece: Buffer) => {
      hasOutput ||= piece.includes("function_call_output");
    });
    incoming.on("end", () => answer(incoming, outgoing, hasOutput));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (name) => `http://127.0.0.1:${port}/${name}/${asked.push(0) - 1}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function answer(incoming: IncomingMessage, outgoing: ServerResponse, hasOutput: boolean): void {
    const [, name = "", program = "", door] = (incoming.url ?? "").split(/[/?]/);
    const known = Object.hasOwn(answers, name) ? answers[name as AnswerName] : undefined;
    if (incoming.method !== "POST" || door !== "responses" || known === undefined) {
      outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const count = asked[Number(program)] ?? 0;
    asked[Number(program)] = count + 1;
    const at = name === "command-once" ? Number(hasOutput) : count % known.length;
    outgoing.writeHead(200, eventStream).end(known[at]);
  }
}

const eventStream = { "content-type": "text/event-stream" };
