import type { AnswerHeaders } from "./rate-limits.js";
import type { Headers } from "./request-target.js";

/** A request that is ready to be sent. */
export interface ModelRequest {
  url: string;
  headers: Headers;
  /** JSON. */
  body: Buffer;
}

/** The answer of a server whose headers have come; its body is still on the way. */
export interface ModelAnswer {
  status: number;
  /** The status with its name, as in `200 OK`. */
  statusLine: string;
  headers: AnswerHeaders;
  /** The next piece of the body; nothing at its end. Throws when the connection is lost. */
  next(): Promise<string | undefined>;
  /**
   * Nobody reads on and little is left: lets it pass, so that the connection can be used again.
   * Waits a moment, for mostly the end has come already.
   */
  drain(): Promise<void>;
  /** Nobody reads on and more may come: cuts the connection. */
  close(): void;
}

/**
 * Carries requests to the model.
 *
 * `post` throws when no answer comes. Once `signal` aborts, the connection is cut at once and
 * whatever waits for it throws. An answer must be drained or closed.
 */
export interface ModelTransport {
  post(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  close(): void;
}
