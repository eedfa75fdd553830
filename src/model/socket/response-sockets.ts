import { STATUS_CODES } from "node:http";
import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import type { Route } from "../http-route.js";
import type { AnswerHeaders } from "../read-stream-event.js";
import type { Headers } from "../request-target.js";
import type { ModelAnswer, ModelRequest } from "../transport.js";
import { Continuation, parseBody } from "./continuation.js";
import { NotAccepted, ResponseSocket } from "./response-socket.js";

/** Servers end connections after an hour. */
const longestUseMs = 55 * 60_000;

/** Time that an unused connection stays open. */
const idleMs = 5 * 60_000;

/** Responses in a row that may break off before requests are sent over HTTP instead. */
const mostBreaks = 2;

/**
 * Sends requests of the Responses API over WebSockets, which stay open for the next request of the conversation.
 *
 * Servers that do not accept one, and those whose connections break off again and again, get all later requests over HTTP.
 */
export class ResponseSockets {
  readonly #findRoute: (url: string) => Promise<Route>;
  readonly #lines = new Map<string, Line[]>();
  /** Addresses that are asked over HTTP. */
  readonly #refused = new Set<string>();
  readonly #breaks = new Map<string, number>();

  /** `findRoute` returns the route to an address. */
  constructor(findRoute: (url: string) => Promise<Route>) {
    this.#findRoute = findRoute;
  }

  /** Sends a request; returns `undefined` if it must be sent over HTTP. */
  async post(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer | undefined> {
    const { url } = request;
    if (this.#refused.has(url)) return undefined;
    try {
      return await this.#post(request, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NotAccepted)) throw error;
      if (error.isFinal) this.#refused.add(url);
      return undefined;
    }
  }

  close(): void {
    for (const line of [...this.#lines.values()].flat()) line.socket.close();
    this.#lines.clear();
  }

  async #post(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const body = parseBody(request.body);
    const line = this.#takeIdle(request) ?? (await this.#open(request, signal));
    const first = await this.#ask(request, { line, body }, signal);
    // The response that the request names is unknown, or the connection ended meanwhile: start afresh.
    const isStale = first === undefined || staleCodes.has(codeOf(first.event));
    if (!isStale) return this.#answer(request, line, first, signal);
    this.#drop(request, line);
    if (first === undefined && !line.wasUsed)
      throw new NotAccepted("the connection was closed", false);
    const fresh = await this.#open(request, signal);
    const second = await this.#ask(request, { line: fresh, body }, signal);
    if (second === undefined) throw new NotAccepted("the connection was closed", false);
    return this.#answer(request, fresh, second, signal);
  }

  async #ask(
    request: ModelRequest,
    { line, body }: { line: Line; body: JsonRecord },
    signal: AbortSignal,
  ): Promise<Message | undefined> {
    line.socket.ref();
    try {
      line.socket.send(line.continuation.message(body));
      return await readMessage(line, signal);
    } catch (error) {
      this.#drop(request, line);
      throw error;
    }
  }

  #answer(request: ModelRequest, line: Line, first: Message, signal: AbortSignal): ModelAnswer {
    line.wasUsed = true;
    const refusal = refusalOf(first.event);
    if (refusal !== undefined) {
      this.#release(request, line);
      return refusal;
    }
    let pending: Message | undefined = first;
    let hasEnded = false;
    const release = () => {
      if (hasEnded) this.#release(request, line);
      else this.#drop(request, line);
    };
    return {
      status: 200,
      statusLine: "200 OK",
      headers: { ...(line.socket.headers as AnswerHeaders), "content-type": "text/event-stream" },
      next: async () => {
        if (hasEnded) return undefined;
        const message = pending ?? (await readMessage(line, signal));
        pending = undefined;
        if (message === undefined) {
          this.#noteBreak(request.url);
          throw new Error("the WebSocket was closed before the response was complete");
        }
        hasEnded = endTypes.has(String(message.event.type));
        if (hasEnded) this.#breaks.delete(request.url);
        return toEvent(message.text);
      },
      drain: async () => release(),
      close: release,
    };
  }

  #noteBreak(url: string): void {
    const count = (this.#breaks.get(url) ?? 0) + 1;
    this.#breaks.set(url, count);
    if (count >= mostBreaks) this.#refused.add(url);
  }

  #takeIdle(request: ModelRequest): Line | undefined {
    const lines = this.#lines.get(keyOf(request)) ?? [];
    const usable = lines.find(
      ({ isBusy, socket, openedAt }) =>
        !isBusy && socket.isOpen && performance.now() - openedAt < longestUseMs,
    );
    if (usable === undefined) return undefined;
    clearTimeout(usable.idle);
    usable.isBusy = true;
    return usable;
  }

  async #open(request: ModelRequest, signal: AbortSignal): Promise<Line> {
    const { url, socket: options } = request;
    const timeoutMs = options?.connectTimeoutMs ?? 15_000;
    const route = await this.#findRoute(url);
    // A proxy for plain HTTP cannot be asked for a tunnel.
    if (route.isForwarded) throw new NotAccepted("a proxy is between", true);
    const open = { url, headers: handshakeHeaders(request.headers), route, timeoutMs };
    const socket = await ResponseSocket.open(open, signal);
    const line: Line = {
      socket,
      continuation: new Continuation(),
      openedAt: performance.now(),
      isBusy: true,
      wasUsed: false,
      idle: undefined,
    };
    const key = keyOf(request);
    this.#lines.set(key, [...(this.#lines.get(key) ?? []), line]);
    return line;
  }

  #release(request: ModelRequest, line: Line): void {
    line.isBusy = false;
    line.socket.unref();
    line.idle = setTimeout(() => this.#drop(request, line), idleMs);
    line.idle.unref();
  }

  #drop(request: ModelRequest, line: Line): void {
    clearTimeout(line.idle);
    line.socket.close();
    const key = keyOf(request);
    const left = (this.#lines.get(key) ?? []).filter((one) => one !== line);
    if (left.length === 0) this.#lines.delete(key);
    else this.#lines.set(key, left);
  }
}

/** A connection; it answers one request at a time. */
interface Line {
  readonly socket: ResponseSocket;
  readonly continuation: Continuation;
  readonly openedAt: number;
  isBusy: boolean;
  /** True if it has answered a request. */
  wasUsed: boolean;
  idle: NodeJS.Timeout | undefined;
}

/** An event, and its text. */
interface Message {
  text: string;
  event: JsonRecord;
}

async function readMessage(line: Line, signal: AbortSignal): Promise<Message | undefined> {
  const text = await line.socket.next(signal);
  if (text === undefined) return undefined;
  const event = parseRecord(text) ?? {};
  line.continuation.onEvent(event);
  return { text, event };
}

/** Another login or conversation has its own connections. */
function keyOf({ url, headers, socket }: ModelRequest): string {
  const { authorization, "chatgpt-account-id": account } = headers;
  return JSON.stringify([url, authorization, account, socket?.conversation]);
}

function handshakeHeaders(headers: Headers): Headers {
  const { "content-type": _, accept: __, ...more } = headers;
  return { ...more, "openai-beta": "responses_websockets=2026-02-06" };
}

/** Events that end a response. */
const endTypes: ReadonlySet<string> = new Set([
  "response.completed",
  "response.done",
  "response.failed",
  "response.incomplete",
  "error",
]);

/** Errors after which the whole request is sent on another connection. */
const staleCodes: ReadonlySet<unknown> = new Set([
  "previous_response_not_found",
  "websocket_connection_limit_reached",
]);

function codeOf({ type, error }: JsonRecord): unknown {
  return type === "error" && isRecord(error) ? error.code : undefined;
}

/** Returns the response that the server would have sent over HTTP in place of an error event. */
function refusalOf(event: JsonRecord): ModelAnswer | undefined {
  const status = event.status ?? event.status_code;
  if (event.type !== "error" || typeof status !== "number" || status < 400) return undefined;
  let body: string | undefined = JSON.stringify({ error: event.error });
  return {
    status,
    statusLine: `${status} ${STATUS_CODES[status] ?? "<unknown status code>"}`,
    headers: headersOf(event.headers),
    async next() {
      const piece = body;
      body = undefined;
      return piece;
    },
    drain: async () => undefined,
    close: () => undefined,
  };
}

function headersOf(value: unknown): AnswerHeaders {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}

/** A line break in JSON is a space between two of its parts. */
function toEvent(text: string): string {
  return `data: ${text.replace(/[\r\n]+/g, " ")}\n\n`;
}
