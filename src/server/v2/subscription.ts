import { RpcError } from "../../jsonrpc/index.js";
import type { FeedListener, FeedMessage, ThreadFeed } from "../feed/index.js";
import type { Question } from "../requests/request.js";
import { askForApproval } from "../v1/approvals.js";
import type { V2Connection } from "./connection.js";

/** What a client hears of a thread, and how it is asked. */
export interface SubscriptionOptions {
  /** Also the events of the queues. */
  wantsLegacy: boolean;
  /** In the words of which version it is asked. */
  asks: "v1" | "v2";
}

/** Listens to a thread on behalf of a client. */
export class Subscription implements FeedListener {
  readonly wantsLegacy: boolean;
  #asks: SubscriptionOptions["asks"];
  #connection: V2Connection;
  #feed: ThreadFeed;
  #onEnd: () => void;

  constructor(
    connection: V2Connection,
    feed: ThreadFeed,
    { wantsLegacy, asks }: SubscriptionOptions,
    onEnd: () => void,
  ) {
    this.wantsLegacy = wantsLegacy;
    this.#asks = asks;
    this.#connection = connection;
    this.#feed = feed;
    this.#onEnd = onEnd;
  }

  hear(message: FeedMessage): void {
    this.#connection.pass(message);
  }

  room(): Promise<void> | undefined {
    return this.#connection.peer.room();
  }

  ask(question: Question): void {
    const { peer } = this.#connection;
    const feed = this.#feed;
    const answered = feed.thread.approvals.signalOf(question.key);
    if (answered === undefined) return;
    if (this.#asks === "v1") {
      if (question.needsAbility) feed.refuse(question, this);
      else askForApproval(question.event, feed.thread, this.#connection);
      return;
    }
    const { method, params } = question;
    const asked = peer.request(method, params, answered, (requestId) => {
      answered.addEventListener("abort", () => this.#tellResolved(requestId), { once: true });
    });
    asked.then(
      (answer) => feed.answer(question, answer),
      (error: unknown) => {
        // A client that says no to the question says no to what is asked; one that is gone says nothing.
        const isRefusal = error instanceof RpcError && !peer.signal.aborted && !answered.aborted;
        if (isRefusal) feed.refuse(question, this);
      },
    );
  }

  onGap(gap: { after: number; seq: number }): void {
    this.#connection.tell("thread/resync", { threadId: this.#feed.thread.id, ...gap });
  }

  onEnd(): void {
    this.#onEnd();
  }

  #tellResolved(requestId: number): void {
    if (this.#connection.peer.signal.aborted) return;
    const threadId = this.#feed.thread.id;
    this.#connection.tell("serverRequest/resolved", { threadId, requestId });
  }
}
