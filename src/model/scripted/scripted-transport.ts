import type { Clock } from "../../lib/clock.js";
import type { Headers } from "../headers.js";
import type { ModelAnswer, ModelRequest, ModelTransport } from "../transport.js";
import type { BuiltAnswer } from "./build-answer.js";
import type { Script } from "./script.js";
import { ScriptPlayer } from "./script-player.js";

/** What the model was asked. */
export interface ScriptedRequest {
  url: string;
  headers: Headers;
  readonly body: unknown;
}

/** Answers requests from a script inside this process: no port, no network. */
export class ScriptedTransport implements ModelTransport {
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

/** The body is parsed when somebody looks at it. */
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

/** Only ever rejects, with the signal's reason. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
