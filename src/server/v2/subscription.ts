import { RpcError } from "../../jsonrpc/index.js";
import type { FeedMessage, Subscriber, ThreadFeed } from "../feed/index.js";
import type { ServerRequest } from "../requests/request.js";
import { askForApproval } from "../v1/approvals.js";
import type { V2Connection } from "./connection.js";

/** Options of a subscription to a thread. */
export interface SubscriptionOptions {
  /** Also receive the events of the engine (`codex/event/…`). */
  wantsLegacy: boolean;
  /** Version of the protocol for approval requests. */
  requests: "v1" | "v2";
}

/** Subscription of a client to the feed of a thread. */
export class Subscription implements Subscriber {
  readonly wantsLegacy: boolean;
  #requests: SubscriptionOptions["requests"];
  #connection: V2Connection;
  #feed: ThreadFeed;
  #onEnd: () => void;

  constructor(
    connection: V2Connection,
    feed: ThreadFeed,
    { wantsLegacy, requests }: SubscriptionOptions,
    onEnd: () => void,
  ) {
    this.wantsLegacy = wantsLegacy;
    this.#requests = requests;
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
    const { peer } = this.#connection;
    const feed = this.#feed;
    const settled = feed.thread.state.requests.signal(request.key);
    if (settled === undefined) return;
    if (this.#requests === "v1") {
      if (request.needsAbility) feed.refuse(request, this);
      else askForApproval(request.event, feed.thread, this.#connection);
      return;
    }
    const { method, params } = request;
    const sent = peer.request(method, params, settled, (requestId) => {
      settled.addEventListener("abort", () => this.#notifyResolved(requestId), { once: true });
    });
    sent.then(
      (answer) => feed.answer(request, answer),
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
