import { wireOf } from "../../compat/index.js";
import { RpcError } from "../../jsonrpc/index.js";
import type { Event } from "../../protocol/types.js";
import type { Connection } from "../connection.js";
import type { ServerRequest } from "../requests/request.js";
import type { Thread } from "../thread/thread.js";
import type { ThreadFeed } from "./feed.js";
import type { FeedMessage, Subscriber } from "./message.js";

/** Options of a subscription to a thread. */
export interface SubscriptionOptions {
  /** Also receive the events of the engine (`codex/event/…`). */
  wantsLegacy?: boolean;
  /** Sends an approval request in another protocol than v2, in which no other requests exist. */
  requestApproval?(event: Event, thread: Thread): void;
}

/** Subscription of a client to the feed of a thread. */
export class Subscription implements Subscriber {
  readonly wantsLegacy: boolean;
  #requestApproval: SubscriptionOptions["requestApproval"];
  #connection: Connection;
  #feed: ThreadFeed;
  #onEnd: () => void;

  constructor(
    connection: Connection,
    feed: ThreadFeed,
    { wantsLegacy = false, requestApproval }: SubscriptionOptions,
    onEnd: () => void,
  ) {
    this.wantsLegacy = wantsLegacy;
    this.#requestApproval = requestApproval;
    this.#connection = connection;
    this.#feed = feed;
    this.#onEnd = onEnd;
  }

  notify(message: FeedMessage): void {
    this.#connection.notifyShared(message);
  }

  room(): Promise<void> | undefined {
    return this.#connection.peer.room();
  }

  request(request: ServerRequest): void {
    const { peer, server } = this.#connection;
    const feed = this.#feed;
    const settled = feed.thread.state.requests.signal(request.key);
    if (settled === undefined) return;
    if (this.#requestApproval !== undefined) {
      if (request.needsAbility) feed.refuse(request, this);
      else this.#requestApproval(request.event, feed.thread);
      return;
    }
    const { method } = request;
    const params = wireOf(server.parts.era.name).params(method, request.params);
    const sent = peer.request(method, params, settled, (requestId) => {
      settled.addEventListener("abort", () => this.#notifyResolved(requestId), { once: true });
    });
    sent.then(
      (answer) => feed.answer(request, answer, this.#connection.client?.name),
      (error: unknown) => {
        // An error reply of a connected client refuses the request; a lost connection does not.
        const isRefusal = error instanceof RpcError && !peer.signal.aborted && !settled.aborted;
        if (isRefusal) feed.refuse(request, this);
      },
    );
  }

  onGap(gap: { after: number; seq: number }): void {
    this.#connection.notify("thread/resync", { threadId: this.#feed.thread.id, ...gap });
  }

  onEnd(): void {
    this.#onEnd();
  }

  #notifyResolved(requestId: number): void {
    if (this.#connection.peer.signal.aborted) return;
    const threadId = this.#feed.thread.id;
    this.#connection.notify("serverRequest/resolved", { threadId, requestId });
  }
}
