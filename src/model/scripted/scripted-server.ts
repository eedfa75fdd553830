import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseRecord } from "../../protocol/read/check.js";
import { type BuiltAnswer, refuse } from "./build-answer.js";
import type { Answer, Script } from "./script.js";
import { ScriptPlayer } from "./script-player.js";
import { acceptSockets } from "./scripted-sockets.js";

/** Options of a scripted server. */
export interface ScriptedServerOptions {
  /** One answer per request, in order. */
  script: Script;
  /** Answers a request by its body, in place of the script. */
  answer?: (request: Record<string, unknown>) => Answer;
  /** Default: any free port. */
  port?: number;
  /** If false, WebSockets are refused, as by most servers. */
  webSockets?: boolean;
  /** If false, requests are not recorded. */
  record?: boolean;
  /** Called for each request when its answer starts. */
  onRequest?: (request: { number: number; status: number }) => void;
}

/** A received request. */
export interface RecordedRequest {
  /** `WEBSOCKET` for a `response.create` on a WebSocket. */
  method: string;
  /** The path and the query. */
  url: string;
  /** The headers, by names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body as JSON; as text if it is not JSON. */
  body: unknown;
}

/** A scripted model on a local port. Must be closed. */
export interface ScriptedServer extends AsyncDisposable {
  /** Value for the `base_url` of a provider. */
  baseUrl: string;
  /** The port on 127.0.0.1. */
  port: number;
  /** The requests so far. */
  requests: readonly RecordedRequest[];
  /** Ends the server and all its connections. */
  close(): Promise<void>;
}

/** Serves a script as a Responses API on loopback. Throws if the script is invalid. */
export async function listenScriptedModel(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const player = new ScriptPlayer(options.script);
  const requests: RecordedRequest[] = [];
  let asked = 0;
  const { createServer } = await import("node:http");
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  if (options.webSockets !== false) {
    acceptSockets(server, ({ body, ...request }) => {
      const incoming = { ...request, method: "WEBSOCKET" };
      if (options.record !== false) requests.push(toRecorded(incoming, body));
      const answer = playScript(body);
      options.onRequest?.({ number: player.asked, status: answer.status });
      return answer;
    });
  }
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
    if (method === "POST" && path.endsWith("/responses")) {
      return body === "{}" ? noInput : playScript(body);
    }
    const message = `a scripted model answers POST …/responses, not ${method} ${path}`;
    return refuse(404, { error: { type: "not_found", message } });
  }

  function playScript(body: string): BuiltAnswer {
    const { answer } = options;
    if (answer === undefined) return player.next(() => body);
    return new ScriptPlayer([answer(parseRecord(body) ?? {})], asked++).next(() => body);
  }

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

const modelList = refuse(200, { object: "list", data: [{ id: "scripted", object: "model" }] });

/** Answer to a program that only asks whether this is a Responses API; it takes none of the script. */
const noInput = refuse(400, {
  error: { type: "invalid_request_error", message: "Missing required parameter: 'model'." },
});

async function play(answer: BuiltAnswer, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.status, answer.headers);
  for (const part of answer.parts) {
    if (outgoing.destroyed) return;
    if (typeof part === "string") outgoing.write(part);
    else await pause(part.pauseMs, outgoing);
  }
  if (answer.ending === "end") outgoing.end();
  else outgoing.flushHeaders();
  // Written data is still sent; the end of the body is not.
  if (answer.ending === "cut") outgoing.socket?.destroySoon();
}

/** Resolves early if the client disconnects. */
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

function toRecorded(
  { method, url, headers }: Pick<IncomingMessage, "method" | "url"> & { headers: object },
  body: string,
): RecordedRequest {
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

/** Options for `scriptedConfig`. */
export interface ScriptedConfigOptions {
  baseUrl: string;
  /** Any name; default: `mock-model`. */
  model?: string;
  /** Top-level lines of the file; default: no approvals and no sandbox. */
  settings?: string;
  /** Retries of failed requests; 0 plays a script exactly as written. */
  retries?: number;
}

/**
 * Returns a `config.toml` for a scripted model; more tables may follow it.
 *
 * For tests and benchmarks; `mock-model` explains the steps to users.
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

/** Settings for most scripts: there is no user to approve anything. */
export const unguarded = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
