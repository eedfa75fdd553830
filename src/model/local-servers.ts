import type { IncomingMessage, RequestOptions } from "node:http";
import { programName } from "../lib/program-name.js";
import { asString } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/record.js";
import type { Environment } from "./request-target.js";
import type { ModelProvider } from "./types.js";

/** A model server that runs on this machine. */
export interface LocalServer {
  provider: ModelProvider;
  /** The names of its models, as it tells them. */
  models: string[];
}

/** Where a server may be waiting. */
interface LocalPlace {
  id: string;
  name: string;
  baseUrl: string;
}

/** How local servers are looked for. */
interface LocalSearch {
  env: Environment;
  /** Instead of the usual places. */
  places?: readonly LocalPlace[];
  /** How long it may take in all. */
  limitMs?: number;
}

const defaultLimitMs = 300;

/**
 * Looks at the usual places of this machine for servers with models, all at once.
 *
 * In the order of the places. Servers that speak the Responses API are asked in it, the others in
 * the Chat Completions API. Never fails: a server that does not answer in time is not there.
 */
export async function findLocalServers(search: LocalSearch): Promise<LocalServer[]> {
  const { env, places = usualPlaces(env), limitMs = defaultLimitMs } = search;
  const limit = AbortSignal.timeout(limitMs);
  const found = await Promise.all(places.map((place) => look(place, limit)));
  return found.filter((server) => server !== undefined);
}

/** The model to use when the user names none: one made for tools, else the first that can talk. */
export function preferredModel(models: readonly string[]): string | undefined {
  const talking = models.filter((name) => !/embed|rerank|whisper|tts/i.test(name));
  return talking.find((name) => /(^|\/)gpt-oss/.test(name)) ?? talking[0];
}

/** What to tell a user for whom no model can be found: the three ways out. */
export function noModelText(): string {
  return (
    "No model to ask: there is neither an API key nor a sign-in, and no model server answers on " +
    "this machine. You can\n" +
    `  1. sign in with \`${programName()} login\`, or set OPENAI_API_KEY;\n` +
    "  2. start a local server (Ollama, LM Studio or llama.cpp) and add --oss;\n" +
    `  3. look around without a model with \`${programName()} demo\`.`
  );
}

/** Ollama, LM Studio and llama.cpp where they listen unless told otherwise. */
export function usualPlaces(env: Environment): LocalPlace[] {
  const said = env.CODEX_OSS_BASE_URL?.trim();
  if (said) return [{ id: "oss", name: "Local models", baseUrl: said.replace(/\/+$/, "") }];
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
 * Where Ollama listens by its own variable: `host`, `host:port`, `:port` or a URL.
 *
 * An address that stands for all of a machine's is reached on loopback.
 */
function ollamaUrl(text: string | undefined): string | undefined {
  const said = text?.trim();
  if (!said) return undefined;
  const spelled = said.includes("://") ? said : `http://${said.replace(/^:/, "127.0.0.1:")}`;
  if (!URL.canParse(spelled)) return undefined;
  const url = new URL(spelled);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  // Without a scheme the port is Ollama's own, not that of the web.
  if (url.port === "" && !said.includes("://")) url.port = "11434";
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1`;
}

function onLoopback(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

function readPort(text: string | undefined): number | undefined {
  const port = Number(text?.trim() || Number.NaN);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** What a server on this machine can do. */
interface Probe {
  models: string[];
  speaksResponses: boolean;
}

/** A list of models is short. */
const largestAnswer = 1024 * 1024;

/** Asks what a server has; nothing when it is no model server or does not answer in time. */
async function probeServer(baseUrl: string, limit: AbortSignal): Promise<Probe | undefined> {
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
  return data.flatMap((model) => (isRecord(model) ? (asString(model.id) ?? []) : []));
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
