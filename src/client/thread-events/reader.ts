import type { ExecJsonBehavior } from "../../compat/index.js";
import { describeHookRunWithFile } from "../../protocol/hook-run-text.js";
import type * as wire from "../../protocol/rpc/v2/item.js";
import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import type { ServerNotification } from "../messages.js";
import type { ItemDeltaEvent, ThreadDelta } from "./delta.js";
import type { ThreadEvent, ThreadItem, TodoListItem, Usage } from "./event.generated.js";
import {
  type ItemDetails,
  ItemIds,
  noUsage,
  toItemDetails,
  toReasoning,
  toUsage,
} from "./to-item.js";

/** Options of an era that select the events. `exec --json` writes them in the format of the era. */
export interface EventChoice
  extends Pick<
    ExecJsonBehavior,
    | "completedOnly"
    | "reasoning"
    | "modelSearchIds"
    | "turnStartSource"
    | "interruptEvents"
    | "hookFailures"
  > {
  /** Types of items that are not emitted. */
  hiddenItemTypes: ReadonlySet<string>;
}

/** Converts the notifications of one thread to events of `exec --json` and the SDK. */
export class ThreadEventReader {
  #choice: EventChoice;
  #ids: ItemIds;
  #todo: TodoListItem | undefined;
  #usage: Usage = noUsage;
  /** Items that have started and not completed, by their id in v2. */
  #running = new Map<string, { id: string; details: ItemDetails }>();
  #lastError: string | undefined;
  /** Result of a review that no message contains yet. */
  #review: string | undefined;

  /** Creates a reader for one turn. */
  constructor(choice: EventChoice = newestChoice) {
    this.#choice = choice;
    this.#ids = new ItemIds(choice.modelSearchIds);
  }

  /** Returns the events for a notification, which must be of this thread or of all threads. */
  read(notification: ServerNotification): ThreadEvent[] {
    switch (notification.method) {
      case "turn/started":
        return this.#choice.turnStartSource === "v2" ? [{ type: "turn.started" }] : [];
      case "turn/completed":
        return this.#endTurn(notification.params.turn);
      case "turn/plan/updated":
        return [this.#updateTodo(notification.params.plan)];
      case "item/started":
        return this.#startItem(notification.params.item);
      case "item/completed":
        return this.#completeItem(notification.params.item);
      case "thread/tokenUsage/updated":
        this.#usage = toUsage(notification.params.tokenUsage.total);
        return [];
      case "error":
        this.#lastError = messageOf(notification.params.error);
        return [{ type: "error", message: this.#lastError }];
      case "warning":
        return this.warn(notification.params.message);
      case "deprecationNotice": {
        const { summary, details } = notification.params;
        return this.warn(withDetails(summary, details));
      }
      case "hook/completed": {
        const { run } = notification.params;
        const isReported = this.#choice.hookFailures && run.status === "failed";
        return isReported ? this.warn(describeHookRunWithFile(run) ?? "") : [];
      }
      default:
        return this.#readEvent(notification);
    }
  }

  /** Returns the event for a notification that adds to a turn in progress, if it is one. */
  readDelta(notification: ServerNotification): ThreadDelta | undefined {
    switch (notification.method) {
      case "item/agentMessage/delta":
        return this.#delta("agent_message", notification.params);
      case "item/reasoning/summaryTextDelta":
        return this.#delta("reasoning", notification.params);
      case "item/reasoning/summaryPartAdded": {
        const { itemId, summaryIndex } = notification.params;
        return summaryIndex === 0 ? undefined : this.#delta("reasoning", { itemId, delta: "\n" });
      }
      case "item/commandExecution/outputDelta":
        return this.#delta("command_execution", notification.params);
      case "thread/tokenUsage/updated": {
        const usage = toUsage(notification.params.tokenUsage.total);
        return { type: "usage.updated", usage };
      }
      default:
        return undefined;
    }
  }

  /** Returns the event for progress of a tool of the caller's program. */
  toolProgress(itemId: string, delta: string): ThreadDelta {
    return this.#delta("tool_call", { itemId, delta });
  }

  #delta(
    item_type: ItemDeltaEvent["item_type"],
    { itemId, delta }: { itemId: string; delta: string },
  ): ThreadDelta {
    return { type: "item.delta", item_id: this.#ids.running(itemId), item_type, delta };
  }

  /** Returns the events for a problem that the client has detected. */
  warn(message: string): ThreadEvent[] {
    if (this.#choice.hiddenItemTypes.has("error")) return [];
    return [itemEvent("item.completed", this.#ids.next(), { type: "error", message })];
  }

  /** Older versions have no warnings in v2 and report them before the start of the turn. */
  #readEvent({ method, params }: { method: string; params: unknown }): ThreadEvent[] {
    if (this.#choice.turnStartSource !== "queues") return [];
    if (method === "codex/event/task_started") return [{ type: "turn.started" }];
    if (method !== "codex/event/warning") return [];
    const { msg } = params as { msg?: { message?: string } };
    return this.warn(msg?.message ?? "");
  }

  #startItem(item: wire.ThreadItem): ThreadEvent[] {
    if (item.type === "agentMessage" || item.type === "reasoning") return [];
    const details = this.#detailsOf(item);
    if (details === undefined || this.#choice.completedOnly.has(details.type)) return [];
    const id = this.#ids.started(item);
    this.#running.set(item.id, { id, details });
    return [itemEvent("item.started", id, details)];
  }

  #completeItem(item: wire.ThreadItem): ThreadEvent[] {
    this.#running.delete(item.id);
    if (item.type === "reasoning" && this.#choice.reasoning === "by part") {
      return item.summary.flatMap((part) => this.#reasoningEvents(part));
    }
    if (item.type === "exitedReviewMode") this.#review = item.review;
    if (item.type === "agentMessage" && item.text === this.#review) this.#review = undefined;
    const details = this.#detailsOf(item);
    if (details === undefined) return [];
    return [itemEvent("item.completed", this.#ids.completed(item), details)];
  }

  #reasoningEvents(text: string): ThreadEvent[] {
    const details = toReasoning(text);
    return details === undefined ? [] : [itemEvent("item.completed", this.#ids.next(), details)];
  }

  #updateTodo(plan: readonly { step: string; status: string }[]): ThreadEvent {
    const items = plan.map(({ step, status }) => ({
      text: step,
      completed: status === "completed",
    }));
    const isNew = this.#todo === undefined;
    this.#todo = { id: this.#todo?.id ?? this.#ids.next(), type: "todo_list", items };
    return { type: isNew ? "item.started" : "item.updated", item: this.#todo };
  }

  #endTurn(turn: Turn): ThreadEvent[] {
    const events: ThreadEvent[] = [];
    if (this.#review !== undefined && turn.status === "completed") {
      const message = { type: "agent_message", text: this.#review } as const;
      events.push(itemEvent("item.completed", this.#ids.next(), message));
    }
    this.#review = undefined;
    if (this.#todo !== undefined) events.push({ type: "item.completed", item: this.#todo });
    this.#todo = undefined;
    this.#ids.clear();
    if (turn.status === "interrupted" && this.#choice.interruptEvents) {
      for (const { id, details } of this.#running.values()) {
        const ended = "status" in details ? { ...details, status: "failed" as const } : details;
        events.push(itemEvent("item.completed", id, ended as ItemDetails));
      }
      events.push({ type: "turn.failed", error: { message: "The turn was interrupted" } });
    }
    this.#running.clear();
    if (turn.status === "completed") events.push({ type: "turn.completed", usage: this.#usage });
    if (turn.status === "failed") {
      const message = turn.error == null ? this.#lastError : messageOf(turn.error);
      events.push({ type: "turn.failed", error: { message: message ?? "The turn failed" } });
    }
    this.#lastError = undefined;
    return events;
  }

  #detailsOf(item: wire.ThreadItem): ItemDetails | undefined {
    const details = toItemDetails(item);
    return details === undefined || this.#choice.hiddenItemTypes.has(details.type)
      ? undefined
      : details;
  }
}

function itemEvent(
  type: "item.started" | "item.completed",
  id: string,
  details: ItemDetails,
): ThreadEvent {
  return { type, item: { id, ...details } as ThreadItem };
}

function messageOf({ message, additionalDetails }: TurnError): string {
  return withDetails(message, additionalDetails);
}

function withDetails(message: string, details: string | null | undefined): string {
  return details ? `${message} (${details})` : message;
}

const newestChoice: EventChoice = {
  hiddenItemTypes: new Set(),
  completedOnly: new Set(),
  reasoning: "whole",
  modelSearchIds: true,
  turnStartSource: "v2",
  interruptEvents: false,
  hookFailures: true,
};
