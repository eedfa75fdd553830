import type { RequestId } from "./message.js";

/** A request of the other side while it is being answered. */
export class RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  #abort: AbortController | undefined;
  #reason: unknown;
  #afterReply: (() => void)[] = [];
  #reply: ((result: unknown) => void) | undefined;

  constructor(id: RequestId, method: string, params: unknown) {
    this.id = id;
    this.method = method;
    this.params = params;
  }

  /** Aborts when nobody waits for the reply any more. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#reason !== undefined) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  /**
   * Replies at once, where something must come right behind the reply.
   *
   * What the handler returns or throws after that is not sent.
   */
  reply(result: unknown): void {
    this.#reply?.(result);
  }

  /** Called by the peer, which knows how to reply. */
  onReply(reply: (result: unknown) => void): void {
    this.#reply = reply;
  }

  /** Does something once the reply is on its way, so that what it sends comes behind it. */
  afterReply(action: () => void): void {
    this.#afterReply.push(action);
  }

  /** Tells whoever answers that it need not go on. */
  cancel(reason: unknown): void {
    this.#reason ??= reason;
    this.#abort?.abort(reason);
  }

  /** Called by the peer when it has replied. */
  onReplied(): void {
    for (const action of this.#afterReply.splice(0)) action();
  }
}
