import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type BuiltAnswer, buildAnswer } from "../src/model/scripted/build-answer.js";
import type { Answer } from "../src/model/scripted/index.js";
import type { Line } from "./line-program.js";

/** Answers of the model, by the last item it received. */
export interface Route {
  when: RegExp;
  answer: Answer;
}

/** A model behind a port of this machine. Must be closed. */
export interface RoutedModel {
  baseUrl: string;
  /** Requests received so far. */
  requests: readonly Line[];
  close(): Promise<void>;
}

/**
 * Serves a model whose answers depend on the last message, not on the order of requests.
 *
 * Some programs send requests on their own: for titles, for instance.
 */
export async function listenRoutedModel(routes: readonly Route[]): Promise<RoutedModel> {
  const requests: Line[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const piece of incoming.setEncoding("utf8")) body += piece;
    if (incoming.method !== "POST") {
      outgoing.writeHead(404).end("{}");
      return;
    }
    const request = JSON.parse(body) as Line;
    const number = requests.push(request);
    const lastText = lastTextOf(request);
    const route = routes.find(({ when }) => when.test(lastText));
    const answer = route?.answer ?? [{ message: `No route fits ${JSON.stringify(lastText)}` }];
    await play(buildAnswer(answer, { response: number }), outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Delays each answer a little, since some clients lose messages that arrive together with the reply to
 * their request.
 */
const THINKING_MS = 50;

async function play({ status, headers, parts, ending }: BuiltAnswer, to: ServerResponse) {
  await sleep(THINKING_MS);
  to.writeHead(status, headers).flushHeaders();
  for (const part of parts) {
    if (to.destroyed) return;
    if (typeof part === "string") to.write(part);
    else await sleep(part.pauseMs);
  }
  if (ending === "end") to.end();
  if (ending === "cut") to.socket?.destroySoon();
}

/** Text of the last item; for an output its kind, since the model's request determines it. */
function lastTextOf({ input }: Line): string {
  const last = (input as Line[]).at(-1);
  if (last === undefined || last.type !== "message") return String(last?.type);
  return (last.content as Line[]).map(({ text }) => text ?? "").join("\n");
}
