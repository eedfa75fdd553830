import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Route } from "../http-route.js";
import type { Headers } from "../request-target.js";

/** Thrown if the server did not accept a WebSocket. */
export class NotAccepted extends Error {
  /** True if it will not accept the next one either. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** A login can be renewed, and a busy server can accept the next request. */
function isFinal(status: number): boolean {
  return status !== 401 && status !== 429 && (status < 500 || status === 501);
}

/** Parts of a connection that is being opened. */
export interface OpenOptions {
  /** Address with the scheme `http` or `https`. */
  url: string;
  headers: Headers;
  route: Route;
  timeoutMs: number;
}

/** Far above any real event; a longer one closes the connection. */
const longestMessage = 64 * 1024 * 1024;

/** Messages, and their characters, that are buffered before the connection is read no further. */
const mostPending = 256;
const mostPendingText = 16 * 1024 * 1024;

/** A WebSocket to a model's server: text messages, read at the speed of the caller. */
export class ResponseSocket {
  /** Headers of the server's response to the handshake. */
  readonly headers: IncomingHttpHeaders;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  #messages: string[] = [];
  #pendingText = 0;
  #wake: (() => void) | undefined;
  #closed = false;

  private constructor(ws: WebSocket, response: IncomingMessage) {
    this.#ws = ws;
    this.#socket = response.socket;
    this.headers = response.headers;
    ws.on("message", (data: Buffer) => this.#onMessage(data.toString("utf8")));
    // An invalid or too long frame closes the connection.
    ws.on("error", () => undefined);
    ws.on("close", () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  /** Opens a connection. Throws `NotAccepted`, or the reason of `signal`. */
  static open(options: OpenOptions, signal: AbortSignal): Promise<ResponseSocket> {
    const { url, headers, route, timeoutMs } = options;
    const ws = new WebSocket(url.replace(/^http/, "ws"), {
      headers,
      agent: route.agent,
      handshakeTimeout: timeoutMs,
      maxPayload: longestMessage,
      perMessageDeflate: false,
      followRedirects: false,
    });
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(signal.reason);
        ws.terminate();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const done = () => signal.removeEventListener("abort", onAbort);
      ws.once("upgrade", (response) => {
        done();
        const opened = new ResponseSocket(ws, response);
        ws.once("open", () => resolve(opened));
      });
      ws.once("unexpected-response", (request, { statusCode = 0 }) => {
        done();
        reject(new NotAccepted(`the server answered ${statusCode}`, isFinal(statusCode)));
        request.destroy();
      });
      ws.on("error", (error) => {
        done();
        reject(new NotAccepted(error.message, error.message.includes("timed out")));
      });
    });
  }

  get isOpen(): boolean {
    return !this.#closed && this.#ws.readyState === WebSocket.OPEN;
  }

  send(text: string): void {
    this.#ws.send(text, () => undefined);
  }

  /** Returns the next message; `undefined` if the connection is closed. One call at a time. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    const onAbort = () => this.#wake?.();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const message = this.#messages.shift();
        this.#pendingText -= message?.length ?? 0;
        if (this.#ws.isPaused && !this.#isFull(2)) this.#ws.resume();
        if (message !== undefined) return message;
        if (this.#closed) return undefined;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Lets the process end while the connection is open. */
  unref(): void {
    this.#socket.unref();
  }

  /** Keeps the process alive. */
  ref(): void {
    this.#socket.ref();
  }

  close(): void {
    this.#closed = true;
    this.#ws.terminate();
  }

  #onMessage(text: string): void {
    this.#messages.push(text);
    this.#pendingText += text.length;
    if (this.#isFull(1)) this.#ws.pause();
    this.#wake?.();
  }

  /** Returns true if the buffer has reached its limit, divided by a number. */
  #isFull(part: number): boolean {
    const isLong = this.#pendingText >= mostPendingText / part;
    return isLong || this.#messages.length >= mostPending / part;
  }
}
