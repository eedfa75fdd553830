import { errorText } from "../lib/errors.js";
import { weigh } from "../transport/index.js";
import { overloaded, RpcError, rpcCodes } from "./error.js";
import type { RequestId } from "./message.js";

/** Reply to a request; the id is null if none could be read. */
export type Reply =
  | { id: RequestId; result: unknown }
  | { id: RequestId | null; error: { code: number; message: string; data?: unknown } };

/** The request handler, the mapping of its errors, and the limits. */
interface AnswersOptions {
  maxRequests: number;
  maxBytes: number;
  onRequest(request: RpcRequest): unknown;
  toResult(method: string, result: unknown): unknown;
  toError(error: unknown): RpcError;
  onFault(error: unknown): void;
}

/** Requests of the peer that are in flight. */
export class Answers {
  #options: AnswersOptions;
  #inFlight = new Map<RpcRequest, number>();
  #bytes = 0;
  #onIdle: (() => void)[] = [];

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** Sends exactly one reply to a request, synchronously if possible. */
  answer(request: RpcRequest, reply: (reply: Reply) => void): void {
    if (!this.#begin(request)) {
      reply({ id: request.id, error: overloaded().toJSON() });
      return;
    }
    const fail = (error: unknown) => {
      if (!this.#inFlight.has(request)) return;
      this.#finish(
        request,
        { id: request.id, error: this.#options.toError(error).toJSON() },
        reply,
      );
    };
    const succeed = (result: unknown = null) => {
      if (!this.#inFlight.has(request)) return;
      const encoded = this.#options.toResult(request.method, result);
      this.#finish(request, { id: request.id, result: encoded }, reply);
    };
    request.onReply(succeed);
    try {
      const result = this.#options.onRequest(request);
      if (result instanceof Promise) void result.then(succeed, fail);
      else succeed(result);
    } catch (error) {
      fail(error);
    }
  }

  cancel(id: RequestId, reason: unknown): void {
    for (const request of this.#inFlight.keys()) if (request.id === id) request.cancel(reason);
  }

  cancelAll(reason: unknown): void {
    for (const request of this.#inFlight.keys()) request.cancel(reason);
  }

  /** Number of requests that are not answered yet. */
  get count(): number {
    return this.#inFlight.size;
  }

  async idle(): Promise<void> {
    if (this.#inFlight.size === 0) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Returns false if the limits are exceeded. A single request may have any size. */
  #begin(request: RpcRequest): boolean {
    const { maxRequests, maxBytes } = this.#options;
    const bytes = weigh(request.params);
    const isFull = this.#inFlight.size >= maxRequests || this.#bytes + bytes > maxBytes;
    if (isFull && this.#inFlight.size > 0) return false;
    this.#inFlight.set(request, bytes);
    this.#bytes += bytes;
    return true;
  }

  #finish(request: RpcRequest, content: Reply, reply: (reply: Reply) => void): void {
    this.#bytes -= this.#inFlight.get(request) ?? 0;
    this.#inFlight.delete(request);
    try {
      sendEither(content, reply);
      request.onReplied();
    } catch (error) {
      this.#options.onFault(error);
    }
    if (this.#inFlight.size > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

/** A result that is not JSON is replaced by an error: the caller must get a reply. */
function sendEither(content: Reply, reply: (reply: Reply) => void): void {
  try {
    reply(content);
  } catch (error) {
    const reason = errorText(error);
    const fault = new RpcError(rpcCodes.internal, `The reply cannot be written: ${reason}`);
    reply({ id: content.id, error: fault.toJSON() });
  }
}

/** A request of the peer while it is in flight. */
export class RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly #trace: unknown;
  #abort: AbortController | undefined;
  #reason: unknown;
  #afterReply: (() => void)[] = [];
  #reply: ((result: unknown) => void) | undefined;

  constructor(id: RequestId, method: string, params: unknown, trace?: unknown) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.#trace = trace;
  }

  /** Trace context of the caller as received: `trace` beside the params, or `_meta` in them. */
  get trace(): unknown {
    const { params } = this;
    if (this.#trace !== undefined || typeof params !== "object") return this.#trace;
    return (params as { _meta?: unknown } | null)?._meta;
  }

  /** Aborts when the reply is no longer wanted. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#reason !== undefined) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  /**
   * Replies now, for messages that must follow the reply directly.
   *
   * A value that the handler returns or throws afterwards is not sent.
   */
  reply(result: unknown): void {
    this.#reply?.(result);
  }

  /** Called by the peer, which sends the reply. */
  onReply(reply: (result: unknown) => void): void {
    this.#reply = reply;
  }

  /** Runs an action after the reply was sent, so that its messages follow the reply. */
  afterReply(action: () => void): void {
    this.#afterReply.push(action);
  }

  /** Signals the handler that its reply is no longer wanted. */
  cancel(reason: unknown): void {
    this.#reason ??= reason;
    this.#abort?.abort(reason);
  }

  /** Called by the peer after the reply was sent. */
  onReplied(): void {
    for (const action of this.#afterReply.splice(0)) action();
  }
}
