import type { IncomingMessage, RequestOptions } from "node:http";
import { programName } from "../lib/program-name.js";
import { asString } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/check.js";
import type { Environment } from "./request-target.js";
import type { ModelProvider } from "./types.js";

/** A model server on this machine. */
export interface LocalServer {
  provider: ModelProvider;
  /** Names of its models, as listed by the server. */
  models: string[];
}

/** Address of a possible server. */
interface LocalPlace {
  id: string;
  name: string;
  baseUrl: string;
}

/** Options for `findLocalServers`. */
interface LocalSearch {
  env: Environment;
  /** Addresses to probe instead of the default ones. */
  places?: readonly LocalPlace[];
  /** Time limit for the whole search. */
  limitMs?: number;
}

const defaultLimitMs = 300;

/**
 * Probes the default addresses of this machine for servers with models, concurrently.
 *
 * Returns them in the order of the addresses. Servers with the Responses API are used with it,
 * others with the Chat Completions API. Never fails: a server that does not respond in time is
 * omitted.
 */
export async function findLocalServers(search: LocalSearch): Promise<LocalServer[]> {
  const { env, places = usualPlaces(env), limitMs = defaultLimitMs } = search;
  const limit = AbortSignal.timeout(limitMs);
  const found = await Promise.all(places.map((place) => look(place, limit)));
  return found.filter((server) => server !== undefined);
}

/** Returns the default model: one made for tools, else the first chat model. */
export function preferredModel(models: readonly string[]): string | undefined {
  const talking = models.filter((name) => !/embed|rerank|whisper|tts/i.test(name));
  return talking.find((name) => /(^|\/)gpt-oss/.test(name)) ?? talking[0];
}

/** Returns the message for a user without any model: the three ways to get one. */
export function noModelText(): string {
  return (
    "No model to ask: there is neither an API key nor a sign-in, and no model server answers on " +
    "this machine. You can\n" +
    `  1. sign in with \`${programName()} login\`, or set OPENAI_API_KEY;\n` +
    "  2. start a local server (Ollama, LM Studio or llama.cpp) and add --oss;\n" +
    `  3. look around without a model with \`${programName()} demo\`.`
  );
}

/** Returns the default addresses of Ollama, LM Studio and llama.cpp. */
export function usualPlaces(env: Environment): LocalPlace[] {
  const setting = env.CODEX_OSS_BASE_URL?.trim();
  if (setting) return [{ id: "oss", name: "Local models", baseUrl: setting.replace(/\/+$/, "") }];
  const port = readPort(env.CODEX_OSS_PORT);
  const ollama =
    port === undefined ? (ollamaUrl(env.OLLAMA_HOST) ?? onLoopback(11434)) : onLoopback(port);
  return [
    { id: "ollama", name: "Ollama", baseUrl: ollama },
    { id: "lmstudio", name: "LM Studio", baseUrl: onLoopback(1234) },
    { id: "llamacpp", name: "llama.cpp", baseUrl: onLoopback(8080) },
  ];
}

async function look(
  { id, name, baseUrl }: LocalPlace,
  limit: AbortSignal,
): Promise<LocalServer | undefined> {
  const probe = await probeServer(baseUrl, limit);
  if (probe === undefined) return undefined;
  const provider: ModelProvider = {
    id,
    name,
    base_url: baseUrl,
    wire_api: probe.speaksResponses ? "responses" : "chat",
    request_max_retries: 4,
    stream_max_retries: 5,
    stream_idle_timeout_ms: 300_000,
    requires_openai_auth: false,
    store: false,
  };
  return { provider, models: probe.models };
}

/**
 * Parses `OLLAMA_HOST`: `host`, `host:port`, `:port` or a URL.
 *
 * A wildcard address is replaced by loopback.
 */
function ollamaUrl(text: string | undefined): string | undefined {
  const setting = text?.trim();
  if (!setting) return undefined;
  const spelled = setting.includes("://")
    ? setting
    : `http://${setting.replace(/^:/, "127.0.0.1:")}`;
  if (!URL.canParse(spelled)) return undefined;
  const url = new URL(spelled);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  // Without a scheme, the default port is that of Ollama, not of HTTP.
  if (url.port === "" && !setting.includes("://")) url.port = "11434";
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1`;
}

function onLoopback(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

function readPort(text: string | undefined): number | undefined {
  const port = Number(text?.trim() || Number.NaN);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** Capabilities of a local server. */
interface Probe {
  models: string[];
  speaksResponses: boolean;
}

/** A list of models is short. */
const largestAnswer = 1024 * 1024;

/** Probes a server; `undefined` if it is not a model server or does not respond in time. */
async function probeServer(baseUrl: string, limit: AbortSignal): Promise<Probe | undefined> {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) return undefined;
  const [models, speaksResponses] = await Promise.all([
    listModels(baseUrl, limit),
    asksForResponses(baseUrl, limit),
  ]);
  return models === undefined ? undefined : { models, speaksResponses };
}

/** Returns the names of the models of a server; `undefined` if it does not list them in time. */
export async function listModels(
  baseUrl: string,
  limit: AbortSignal,
): Promise<string[] | undefined> {
  const answer = await ask(`${baseUrl}/models`, { method: "GET" }, limit);
  if (answer?.status !== 200) return undefined;
  const { data } = parseRecord(answer.body) ?? {};
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((model) => (isRecord(model) ? (asString(model.id) ?? []) : []));
}

/**
 * Returns true if the server supports the Responses API.
 *
 * An empty request starts no model. A server with the API reports the missing field; others report
 * a missing page, or even success.
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
