import type { IncomingMessage, RequestOptions } from "node:http";
import { isRecord, parseRecord } from "../protocol/read/record.js";
import { textOf } from "./text-of.js";

/** What a server on this machine can do. */
export interface Probe {
  models: string[];
  speaksResponses: boolean;
}

/** A list of models is short. */
const largestAnswer = 1024 * 1024;

/** Asks what a server has; nothing when it is no model server or does not answer in time. */
export async function probeServer(baseUrl: string, limit: AbortSignal): Promise<Probe | undefined> {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) return undefined;
  const [models, speaksResponses] = await Promise.all([
    listModels(baseUrl, limit),
    asksForResponses(baseUrl, limit),
  ]);
  return models === undefined ? undefined : { models, speaksResponses };
}

/** Returns the names of the models of a server; undefined when it does not list them in time. */
export async function listModels(
  baseUrl: string,
  limit: AbortSignal,
): Promise<string[] | undefined> {
  const answer = await ask(`${baseUrl}/models`, { method: "GET" }, limit);
  if (answer?.status !== 200) return undefined;
  const { data } = parseRecord(answer.body) ?? {};
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((model) => (isRecord(model) ? (textOf(model.id) ?? []) : []));
}

/**
 * Whether the server knows the Responses API.
 *
 * A request without anything in it starts no model. Who knows the API says what is missing; others
 * say that there is no such page, or even that all is well.
 */
async function asksForResponses(baseUrl: string, limit: AbortSignal): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  const answer = await ask(`${baseUrl}/responses`, { method: "POST", headers }, limit, "{}");
  return answer?.status === 400 || answer?.status === 422;
}

async function ask(
  url: string,
  options: RequestOptions,
  limit: AbortSignal,
  body?: string,
): Promise<{ status: number | undefined; body: string } | undefined> {
  const { request } = await (url.startsWith("https:") ? import("node:https") : import("node:http"));
  return new Promise((resolve) => {
    const outgoing = request(url, { ...options, agent: false, signal: limit });
    outgoing.on("error", () => resolve(undefined));
    outgoing.on("response", (incoming) => {
      readBody(incoming).then(
        (text) => resolve({ status: incoming.statusCode, body: text }),
        () => resolve(undefined),
      );
    });
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of incoming.setEncoding("utf8")) {
    text += piece;
    if (text.length > largestAnswer) break; // which closes the connection too
  }
  return text;
}
