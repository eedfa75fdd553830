import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BuiltAnswer, refuse } from "./build-answer.js";
import type { Script } from "./script.js";
import { ScriptPlayer } from "./script-player.js";

/** How a scripted model is served. */
export interface ScriptedServerOptions {
  script: Script;
  /** Absent or 0: any that is free. */
  port?: number;
  /** False: requests are answered and forgotten. */
  record?: boolean;
  /** Told of each request when its answer begins. */
  onRequest?: (request: { number: number; status: number }) => void;
}

/** A request as it came over the wire. */
export interface RecordedRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The body as JSON; the text itself when it is none. */
  body: unknown;
}

/** A scripted model behind a port of this machine. Must be closed. */
export interface ScriptedServer extends AsyncDisposable {
  /** What a provider's `base_url` is set to. */
  baseUrl: string;
  port: number;
  requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Serves a script as a Responses API, to this machine alone. Throws when the script is wrong. */
export async function listenScriptedModel(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const player = new ScriptPlayer(options.script);
  const requests: RecordedRequest[] = [];
  const { createServer } = await import("node:http");
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await listening(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readText(incoming);
    if (options.record !== false) requests.push(toRecorded(incoming, body));
    const answer = answerTo(incoming, body);
    options.onRequest?.({ number: player.asked, status: answer.status });
    await play(answer, outgoing);
  }

  function answerTo({ method, url = "" }: IncomingMessage, body: string): BuiltAnswer {
    const path = url.split("?", 1)[0] ?? "";
    if (method === "GET" && path.endsWith("/models")) return modelList;
    if (method === "POST" && path.endsWith("/responses")) return player.next(() => body);
    const message = `a scripted model answers POST …/responses, not ${method} ${path}`;
    return refuse(404, { error: { type: "not_found", message } });
  }

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

const modelList = refuse(200, { object: "list", data: [{ id: "scripted", object: "model" }] });

async function play(answer: BuiltAnswer, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.status, answer.headers);
  for (const part of answer.parts) {
    if (outgoing.destroyed) return;
    if (typeof part === "string") outgoing.write(part);
    else await pause(part.pauseMs, outgoing);
  }
  if (answer.ending === "end") outgoing.end();
  else outgoing.flushHeaders();
  // What was written still goes out; the end of the body never does.
  if (answer.ending === "cut") outgoing.socket?.destroySoon();
}

/** Ends early when the other side goes away. */
function pause(ms: number, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      outgoing.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    outgoing.once("close", done);
  });
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = "";
  incoming.setEncoding("utf8");
  for await (const piece of incoming) text += piece;
  return text;
}

function toRecorded({ method, url, headers }: IncomingMessage, body: string): RecordedRequest {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  let parsed: unknown;
  return {
    method: method ?? "",
    url: url ?? "",
    headers: Object.fromEntries(entries),
    get body() {
      parsed ??= parseOr(body);
      return parsed;
    },
  };
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

/** How a program is told of a scripted model. */
export interface ScriptedConfigOptions {
  baseUrl: string;
  /** Any name will do; `mock-model` unless said. */
  model?: string;
  /** Lines for the top of the file; absent: nothing is asked and nothing is confined. */
  settings?: string;
  /** How often what fails is asked for again; 0: a script is played as it is written. */
  retries?: number;
}

/**
 * A `config.toml` that makes a program ask a scripted model; more tables may follow it.
 *
 * For tests and measurements, which all play scripts in the same way; `mock-model` says to a person
 * how to do it.
 */
export function scriptedConfig(options: ScriptedConfigOptions): string {
  const { baseUrl, model = "mock-model", settings = unguarded, retries } = options;
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "mock"',
    settings,
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = ${JSON.stringify(baseUrl)}`,
    'wire_api = "responses"',
    ...(retries === undefined
      ? []
      : [`request_max_retries = ${retries}`, "stream_max_retries = 0"]),
    "",
  ].join("\n");
}

/** What most scripts are played under: nobody is there to be asked. */
export const unguarded = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
