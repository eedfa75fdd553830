import type { StringDecoder } from "node:string_decoder";
import type { Era } from "../../compat/index.js";
import type { Clock } from "../../lib/clock.js";
import type { AgentMessageItem, ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";
import type { TurnError } from "../../protocol/rpc/v2/turn.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import type { ClientMessages } from "./client-messages.js";

/** Facts of the running turn that its end reports. */
export interface ReportedTurn {
  id: string;
  /** Turn of the user that it belongs to. */
  rootTurnId: string;
  /** The submission that started it: its events carry this id. */
  submissionId: string;
  startedAtMs: number;
  error: TurnError | null;
  lastMessage: AgentMessageItem | null;
}

interface ProjectionOptions {
  threadId: string;
  era: Era;
  clock: Clock;
  messages: ClientMessages;
  /** Withdraws a turn that was announced to clients; returns false if there was none. */
  withdraw(turnId: string): boolean;
  notify<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void;
}

/**
 * Projection of a thread's events to v2 notifications.
 *
 * Holds what has been reported so far: the turn, its open items, and the status.
 */
export class ThreadProjection {
  readonly threadId: string;
  readonly era: Era;
  readonly messages: ClientMessages;
  readonly notify: ProjectionOptions["notify"];
  readonly withdraw: ProjectionOptions["withdraw"];
  turn: ReportedTurn | undefined;
  /** Items that have started and are not complete, by id. */
  readonly openItems = new Map<string, ThreadItem>();
  /** Decoders of command output that ends inside a character, by command and stream. */
  readonly decoders = new Map<string, StringDecoder>();
  /** Items whose end was reported when they were declined, before the engine reports it. */
  readonly #declined = new Set<string>();
  #clock: Clock;
  #status: ThreadStatus = { type: "idle" };

  constructor({ threadId, era, clock, messages, notify, withdraw }: ProjectionOptions) {
    this.threadId = threadId;
    this.era = era;
    this.messages = messages;
    this.notify = notify;
    this.withdraw = withdraw;
    this.#clock = clock;
  }

  /** Status of the thread; a change notifies the clients. */
  get status(): ThreadStatus {
    return this.#status;
  }

  set status(status: ThreadStatus) {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    this.notify("thread/status/changed", { threadId: this.threadId, status });
  }

  now(): number {
    return this.#clock.now();
  }

  /** Reports that an item has started, once. */
  startItem(item: ThreadItem, turnId: string): void {
    if (this.openItems.has(item.id)) return;
    const startedAtMs = this.now();
    const started = { ...item, startedAtMs, completedAtMs: null };
    this.openItems.set(item.id, started);
    const params = { item: started, threadId: this.threadId, turnId, startedAtMs };
    this.notify("item/started", params);
  }

  /** Reports that an item is complete. */
  completeItem(item: ThreadItem, turnId: string): void {
    const completedAtMs = this.now();
    const startedAtMs = this.openItems.get(item.id)?.startedAtMs ?? completedAtMs;
    this.openItems.delete(item.id);
    const complete = { ...item, startedAtMs, completedAtMs };
    if (complete.type === "agentMessage" && this.turn !== undefined) {
      this.turn.lastMessage = complete;
    }
    const params = { item: complete, threadId: this.threadId, turnId, completedAtMs };
    this.notify("item/completed", params);
  }

  /** Reports at once that a command or patch was declined, by the user or by an error. */
  declineItem(id: string, turnId: string, status: "declined" | "failed"): void {
    const item = this.openItems.get(id);
    if (item?.type !== "commandExecution" && item?.type !== "fileChange") return;
    // Before 0.166 the end was reported now, and again when the turn continues.
    if (!this.era.since["0.166"]) {
      this.completeItem({ ...item, status }, turnId);
    } else if (item.type === "commandExecution") {
      // The engine reports the end of a patch itself, applied or not.
      this.completeItem({ ...item, status: "declined" }, turnId);
      this.#declined.add(id);
    }
  }

  /** Returns true, once, if the end of an item was reported when it was declined. */
  takeDeclined(id: string): boolean {
    return this.#declined.delete(id);
  }
}

/** Returns the id of the turn that an event belongs to. */
export function turnOf(event: Event, { turn }: ThreadProjection): string {
  return turn?.id ?? event.turn_id ?? event.id;
}

/** Returns the id of the item that an event is about. */
export function itemOf({ item_id = "" }: Event): string {
  return item_id;
}

/** An event of one type. */
export type EventOf<Type extends EventMsg["type"]> = Event & {
  msg: Extract<EventMsg, { type: Type }>;
};

/** Projections by event type; other events are not reported. */
export type Projections = {
  [Type in EventMsg["type"]]?: (event: EventOf<Type>, projection: ThreadProjection) => void;
};
