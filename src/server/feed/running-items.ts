import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";

/** A notification that brings a new subscriber up to date. */
export type RunningNotification = {
  [Method in RunningMethod]: { method: Method; params: V2Notifications[Method] };
}[RunningMethod];

type RunningMethod = "item/started" | "turn/plan/updated" | "turn/diff/updated";

/**
 * Items that have started and not completed, with the text that has arrived, and the plan and diff
 * of the running turn.
 *
 * None of it is in the rollout yet. Deltas are collected and joined when a client subscribes.
 */
export class RunningItems {
  #items = new Map<string, RunningItem>();
  /** Messages that were cut off with their turn, the last ones; no rollout has them. */
  #cutOff: V2Notifications["item/started"][] = [];
  #plan: V2Notifications["turn/plan/updated"] | undefined;
  #diff: V2Notifications["turn/diff/updated"] | undefined;

  /** Updates the state by a notification to all subscribers. */
  apply<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    const sent = { method, params } as AnyNotification;
    switch (sent.method) {
      case "item/started":
        this.#items.set(sent.params.item.id, { ...sent.params, parts: [] });
        return;
      case "item/completed":
        this.#items.delete(sent.params.item.id);
        return;
      case "item/agentMessage/delta":
      case "item/plan/delta":
      case "item/commandExecution/outputDelta":
      case "item/reasoning/summaryTextDelta":
        this.#items.get(sent.params.itemId)?.parts.push(sent.params.delta);
        return;
      case "turn/plan/updated":
        this.#plan = sent.params;
        return;
      case "turn/diff/updated":
        this.#diff = sent.params;
        return;
      case "turn/completed":
        this.#plan = undefined;
        this.#diff = undefined;
        for (const [id, running] of this.#items) {
          if (running.turnId !== sent.params.turn.id) continue;
          this.#items.delete(id);
          if (sent.params.turn.status !== "completed") this.#noteCutOff(running);
        }
    }
  }

  #noteCutOff({ parts, item, ...params }: RunningItem): void {
    const text = parts.join("").slice(0, mostCutOffText);
    if (item.type !== "agentMessage" || text === "") return;
    this.#cutOff = [...this.#cutOff, { ...params, item: withText(item, text) }].slice(-mostCutOff);
  }

  /** Returns the notifications for a new subscriber, in the order of the first ones. */
  state(): RunningNotification[] {
    const running = [...this.#items.values()].map(({ parts, item, ...params }) => ({
      ...params,
      item: withText(item, parts.join("")),
    }));
    const items = [...this.#cutOff, ...running].map((params) => ({
      method: "item/started" as const,
      params,
    }));
    return [
      ...items,
      ...(this.#plan === undefined
        ? []
        : [{ method: "turn/plan/updated" as const, params: this.#plan }]),
      ...(this.#diff === undefined
        ? []
        : [{ method: "turn/diff/updated" as const, params: this.#diff }]),
    ];
  }
}

const mostCutOff = 20;
const mostCutOffText = 100_000;

type RunningItem = V2Notifications["item/started"] & { parts: string[] };

type AnyNotification = {
  [Method in keyof V2Notifications]: { method: Method; params: V2Notifications[Method] };
}[keyof V2Notifications];

function withText(item: ThreadItem, text: string): ThreadItem {
  if (text === "") return item;
  switch (item.type) {
    case "agentMessage":
    case "plan":
      return { ...item, text: item.text + text };
    case "commandExecution":
      return { ...item, aggregatedOutput: (item.aggregatedOutput ?? "") + text };
    case "reasoning":
      return { ...item, summary: [...item.summary, text] };
    default:
      return item;
  }
}
