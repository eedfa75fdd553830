import { signal } from "@preact/signals";
import type { AppServerClient, ServerNotification } from "../../client/index.js";
import { describeReviewedAction } from "../../protocol/auto-review-text.js";
import { hookEvent } from "../../protocol/hook-run-text.js";

/** Tokens and cost of a turn. */
export interface TurnUsage {
  tokens: number;
  /** In US dollars; null if the price of a model is not known. */
  cost: number | null;
}

/** A message for the running turn that the model has not read yet. */
export interface SentMessage {
  clientId: string;
  text: string;
}

/** What happens in a thread besides its items: hooks, messages on their way, usage of turns. */
export class Progress {
  /** Running hooks and automatic reviews, by id. */
  readonly activities = signal<ReadonlyMap<string, string>>(new Map());
  readonly sent = signal<readonly SentMessage[]>([]);
  readonly usage = signal<ReadonlyMap<string, TurnUsage>>(new Map());

  apply({ method, params }: ServerNotification): void {
    switch (method) {
      case "hook/started":
        this.#begin(
          params.run.id,
          params.run.statusMessage ?? `Running ${hookEvent(params.run)} hook`,
        );
        return;
      case "hook/completed":
        this.#end(params.run.id);
        return;
      case "item/autoApprovalReview/started":
        this.#begin(params.reviewId, `Reviewing ${describeReviewedAction(params.action)}`);
        return;
      case "item/autoApprovalReview/completed":
        this.#end(params.reviewId);
        return;
      case "item/started":
      case "item/completed": {
        const { item } = params;
        if (item.type === "userMessage" && item.clientId !== null) this.arrived(item.clientId);
        return;
      }
      case "turn/completed":
        this.activities.value = new Map();
        this.sent.value = [];
        return;
    }
  }

  /** Shows a message until the model reads it. */
  send(message: SentMessage): void {
    this.sent.value = [...this.sent.value, message];
  }

  /** Removes a message that is an item now, or was not sent. */
  arrived(clientId: string): void {
    if (this.sent.value.length === 0) return;
    this.sent.value = this.sent.value.filter((message) => message.clientId !== clientId);
  }

  /** Reads tokens and costs of all turns; servers without them leave the footers as they are. */
  async loadUsage(client: AppServerClient, threadId: string): Promise<void> {
    const { rows } = await client.request("usage/read", { threadId, by: "turn" });
    this.usage.value = new Map(
      rows.map(({ key, totalTokens: tokens, cost }) => [key, { tokens, cost }]),
    );
  }

  #begin(id: string, text: string): void {
    this.activities.value = new Map(this.activities.value).set(id, text);
  }

  #end(id: string): void {
    const activities = new Map(this.activities.value);
    activities.delete(id);
    this.activities.value = activities;
  }
}
