import type { AnswerHeaders } from "./read-stream-event.js";
import type { Headers } from "./request-target.js";

/** A request ready to be sent. */
export interface ModelRequest {
  url: string;
  headers: Headers;
  /** JSON. */
  body: Buffer;
  /** Set if it may be sent over a WebSocket. */
  socket?: SocketUse;
}

/** How a request is sent over a WebSocket. */
export interface SocketUse {
  /** Requests of one conversation share a connection. */
  conversation: string;
  /** Time for the server to accept the connection. */
  connectTimeoutMs: number;
}

/** A response whose headers were received; its body is still streaming. */
export interface ModelAnswer {
  status: number;
  /** Status with its name, such as `200 OK`. */
  statusLine: string;
  headers: AnswerHeaders;
  /** Returns the next piece of the body, or `undefined` at its end. Throws if the connection is lost. */
  next(): Promise<string | undefined>;
  /**
   * Call it if the rest is short and not needed: discards it, so that the connection can be reused.
   * Waits briefly, since usually the end was already received.
   */
  drain(): Promise<void>;
  /** Call it if the rest may be long and is not needed: closes the connection. */
  close(): void;
}

/**
 * Sends requests to the model.
 *
 * `post` throws if there is no response. When `signal` aborts, the connection is closed at once and
 * pending calls throw. A response must be drained or closed.
 */
export interface ModelTransport {
  post(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  close(): void;
}
