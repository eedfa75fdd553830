import type { StringDecoder } from "node:string_decoder";
import type { V2Behavior } from "../../compat/index.js";
import type { Clock } from "../../lib/clock.js";
import type { AgentMessageItem, ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";
import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { toEraFields } from "../v2/era-fields.js";

/** The turn that runs, as far as it was told. */
export interface RunningTurn {
  id: string;
  /** What began it: its events carry this id. */
  submission: string;
  startedAtMs: number;
  error: TurnError | null;
  lastMessage: AgentMessageItem | null;
}

/** What a teller speaks of, and to whom. */
interface TellerOptions {
  threadId: string;
  era: V2Behavior;
  clock: Clock;
  send<Method extends keyof V2Notifications>(method: Method, params: V2Notifications[Method]): void;
}

/** Tells of one thread in the words of v2, and knows what it has told so far. */
export class Teller {
  readonly threadId: string;
  readonly era: V2Behavior;
  readonly tell: TellerOptions["send"];
  turn: RunningTurn | undefined;
  /** Turns that were promised to a client and have not begun. */
  readonly announced = new Set<string>();
  /** Items that have begun and are not complete, by their id. */
  readonly open = new Map<string, ThreadItem>();
  /** The names that clients gave their messages, in order, by the turn they are for. */
  readonly clientIds = new Map<string, (string | null)[]>();
  /** Output of commands of which a character is half told, by command and stream. */
  readonly decoders = new Map<string, StringDecoder>();
  /** Items of the turn that were told as declined, before the engine says so. */
  readonly #declined = new Set<string>();
  #clock: Clock;
  #status: ThreadStatus = { type: "idle" };

  constructor({ threadId, era, clock, send }: TellerOptions) {
    this.threadId = threadId;
    this.era = era;
    this.tell = send;
    this.#clock = clock;
  }

  /** What the thread does just now. */
  get status(): ThreadStatus {
    return this.#status;
  }

  set status(status: ThreadStatus) {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    this.tell("thread/status/changed", { threadId: this.threadId, status });
  }

  now(): number {
    return this.#clock.now();
  }

  /** Tells that an item begins, once. */
  start(item: ThreadItem, turnId: string): void {
    if (this.open.has(item.id) || this.era.untoldItems.has(item.type)) return;
    const startedAtMs = this.now();
    const begun = { ...item, startedAtMs, completedAtMs: null };
    this.open.set(item.id, begun);
    const shaped = toEraItem(begun, this.era);
    const params = { item: shaped, threadId: this.threadId, turnId, startedAtMs };
    this.tell("item/started", toEraFields(params, this.era.lacks.ItemStartedNotification));
  }

  /** Tells that an item is complete. */
  complete(item: ThreadItem, turnId: string): void {
    if (this.era.untoldItems.has(item.type)) return;
    const completedAtMs = this.now();
    const startedAtMs = this.open.get(item.id)?.startedAtMs ?? completedAtMs;
    this.open.delete(item.id);
    const complete = { ...item, startedAtMs, completedAtMs };
    if (complete.type === "agentMessage" && this.turn !== undefined) {
      this.turn.lastMessage = complete;
    }
    const shaped = toEraItem(complete, this.era);
    const params = { item: shaped, threadId: this.threadId, turnId, completedAtMs };
    this.tell("item/completed", toEraFields(params, this.era.lacks.ItemCompletedNotification));
  }

  /** Tells at once that what an item is about was declined, by a no or by an error. */
  decline(id: string, turnId: string, status: "declined" | "failed"): void {
    const item = this.open.get(id);
    if (item?.type !== "commandExecution" && item?.type !== "fileChange") return;
    if (this.era.declinesTwice) {
      this.complete({ ...item, status }, turnId);
    } else if (item.type === "commandExecution") {
      // The end of a patch is told by the engine, whether it was applied or not.
      this.complete({ ...item, status: "declined" }, turnId);
      this.#declined.add(id);
    }
  }

  /** Whether the end of an item was told when it was declined; asked once, when it ends. */
  isDeclined(id: string): boolean {
    return this.#declined.delete(id);
  }
}

/** An item without what the version of the client did not have yet. */
export function toEraItem(item: ThreadItem, { lacks }: V2Behavior): ThreadItem {
  const shaped = toEraFields(item, lacks[item.type]);
  if (shaped.type !== "mcpToolCall" || shaped.result === null) return shaped;
  const result = toEraFields(shaped.result, lacks.McpToolCallResult);
  return result === shaped.result ? shaped : { ...shaped, result };
}

/** A turn without what the version of the client did not have yet. */
export function toEraTurn(turn: Turn, era: V2Behavior): Turn {
  const shaped = toEraFields(turn, era.lacks.Turn);
  const items = shaped.items.map((item) => toEraItem(item, era));
  const error = shaped.error && toEraFields(shaped.error, era.lacks.TurnError);
  return { ...shaped, items, error };
}

/** The turn an event belongs to. */
export function turnOf(event: Event, { turn }: Teller): string {
  return turn?.id ?? event.turn_id ?? event.id;
}

/** The item an event is about. */
export function itemOf({ item_id = "" }: Event): string {
  return item_id;
}

/** An event of one type. */
export type EventOf<Type extends EventMsg["type"]> = Event & {
  msg: Extract<EventMsg, { type: Type }>;
};

/** What is told of events, by their type; of others nothing is. */
export type Translators = {
  [Type in EventMsg["type"]]?: (event: EventOf<Type>, teller: Teller) => void;
};
