import { eraNamed, type ModelBehavior } from "../../compat/index.js";
import { untilAborted } from "../../lib/async.js";
import { type Clock, systemClock } from "../../lib/clock.js";
import type { Headers } from "../request-target.js";
import { ResponsesClient } from "../responses-client.js";
import type { ModelAnswer, ModelRequest, ModelTransport } from "../transport.js";
import type { ModelAuthSource, ModelClient, ModelProvider } from "../types.js";
import type { BuiltAnswer } from "./build-answer.js";
import type { Script } from "./script.js";
import { ScriptPlayer } from "./script-player.js";

/** Options of a scripted client. */
export interface ScriptedClientOptions {
  /** How an era writes requests and reads responses; the newest by default. */
  behavior?: ModelBehavior;
  /** Provider settings, such as the number of retries. */
  provider?: Partial<ModelProvider>;
  /** Time for pauses and retries. */
  clock?: Clock;
  /** Login for requests; default: none. */
  auth?: ModelAuthSource;
  /** Random numbers for the delays of retries. */
  random?: () => number;
  /** If false, requests are not recorded, for long sessions. */
  record?: boolean;
}

/** A model that follows a script and records its requests. */
export interface ScriptedClient extends ModelClient {
  /** The requests so far. */
  readonly requests: readonly ScriptedRequest[];
}

/**
 * Creates a model in this process that answers from a script.
 *
 * Only the network is replaced: requests are written and streams are parsed by the same code as for
 * a real model. Throws if the script is invalid.
 */
export function scriptedClient(
  script: Script,
  options: ScriptedClientOptions = {},
): ScriptedClient {
  const { clock = systemClock, random = Math.random, record = true } = options;
  const transport = new ScriptedTransport(script, { clock, record });
  const client = new ResponsesClient({
    provider: { ...scriptedProvider, ...options.provider },
    behavior: options.behavior ?? currentBehavior(),
    transport,
    originator: "quire",
    userAgent: "quire",
    env: {},
    clock,
    random,
    ...(options.auth === undefined ? {} : { auth: options.auth }),
  });
  return {
    requests: transport.requests,
    stream: (prompt, signal) => client.stream(prompt, signal),
    close: () => client.close(),
  };
}

/** Provider settings for a script: failures are those of the script, without retries. */
export const scriptedProvider: ModelProvider = {
  id: "scripted",
  name: "scripted",
  base_url: "http://127.0.0.1/v1",
  wire_api: "responses",
  request_max_retries: 0,
  stream_max_retries: 0,
  stream_idle_timeout_ms: 300_000,
  requires_openai_auth: false,
  store: false,
};

function currentBehavior(): ModelBehavior {
  const era = eraNamed("current");
  if (era === undefined) throw new Error("No era named current");
  return era.model;
}

/** A request to the model. */
export interface ScriptedRequest {
  /** The address that it would have been sent to. */
  url: string;
  /** The headers, by names in lower case. */
  headers: Headers;
  /** The body as JSON. */
  readonly body: unknown;
}

/** Answers requests from a script in this process, without network. */
class ScriptedTransport implements ModelTransport {
  readonly requests: ScriptedRequest[] = [];
  #player: ScriptPlayer;
  #clock: Clock;
  #record: boolean;

  constructor(script: Script, { clock, record }: { clock: Clock; record: boolean }) {
    this.#player = new ScriptPlayer(script);
    this.#clock = clock;
    this.#record = record;
  }

  async post(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted();
    if (this.#record) this.requests.push(toScripted(request));
    const answer = this.#player.next(() => request.body.toString());
    const pieces = this.#play(answer, signal);
    const { STATUS_CODES } = await import("node:http");
    return {
      status: answer.status,
      statusLine: `${answer.status} ${STATUS_CODES[answer.status] ?? "<unknown status code>"}`,
      headers: lowered(answer.headers),
      next: async () => (await pieces.next()).value ?? undefined,
      drain: async () => undefined,
      close: () => undefined,
    };
  }

  close(): void {}

  async *#play(answer: BuiltAnswer, signal: AbortSignal): AsyncGenerator<string, undefined> {
    for (const part of answer.parts) {
      if (typeof part !== "string") await this.#clock.sleep(part.pauseMs, signal);
      signal.throwIfAborted();
      if (typeof part === "string") yield part;
    }
    if (answer.ending === "hang") await untilAborted(signal);
    if (answer.ending === "cut") throw new Error("the script cut the connection");
    return undefined;
  }
}

/** Parses the body on first access. */
function toScripted({ url, headers, body }: ModelRequest): ScriptedRequest {
  return {
    url,
    headers,
    get body() {
      return JSON.parse(body.toString());
    },
  };
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
