import { eventsOfCompletedItem } from "../protocol/legacy-events.js";
import type {
  CompactedItem,
  EventMsg,
  ItemCompletedEvent,
  ResponseItem,
  RolloutLine,
  SessionMetaLine,
  TokenCountEvent,
  TurnContextItem,
} from "../protocol/types.js";
import {
  type CompactionForm,
  collectUserMessages,
  initialContextOf,
  toCompactedItems,
} from "./items/compacted.js";
import { lengthWithoutLastTurns } from "./items/history.js";
import { isKeptItem, isUserMessage } from "./items/response-item.js";
import { isPersistedEvent } from "./persist.js";
import { Bookmarks, TurnMarks } from "./positions.js";
import type { LinePlace, RolloutVisitor } from "./read.js";

/** Makes a conversation of the lines of its rollout, as the engine had it when they were written. */
export class Replay implements RolloutVisitor {
  meta: SessionMetaLine | undefined;
  /** The byte behind the line that the meta is from. */
  begin = 0;
  /** What the model is shown. */
  items: ResponseItem[] = [];
  /** The events that were kept for whoever resumes. */
  readonly events: EventMsg[] = [];
  bookmarks = new Bookmarks();
  turns = new TurnMarks();
  /** How many messages of the user stand in files that this one goes on from. */
  inheritedUserMessages = 0;
  /** The conversation continues from a response that only the provider has. */
  isOnlyStored = false;
  turnContext: TurnContextItem | undefined;
  tokens: TokenCountEvent | undefined;
  name: string | undefined;
  #initialContext: readonly ResponseItem[] | undefined;
  #summaries = new Set<string>();

  /** `initialContext` opens a conversation whose compaction did not record what it became. */
  constructor(initialContext?: readonly ResponseItem[]) {
    this.#initialContext = initialContext;
  }

  /** What comes next is in another file, so places in the last one mean nothing any more. */
  beginNextFile(): void {
    this.meta = undefined;
    this.begin = 0;
    this.inheritedUserMessages += this.turns.userItems.length;
    this.bookmarks = new Bookmarks(this.items.length);
    this.turns = new TurnMarks();
  }

  line(line: RolloutLine, place: LinePlace): void {
    switch (line.type) {
      case "session_meta":
        this.#begin(line.payload, place);
        break;
      case "response_item":
        this.#addItem(line.payload, place);
        break;
      case "compacted":
        this.#compact(line.payload, place);
        break;
      case "turn_context":
        this.turnContext = line.payload;
        break;
      case "event_msg":
        this.#addEvent(line.payload, place);
        break;
    }
  }

  other(kind: string, payload: unknown, place: LinePlace): void {
    if (kind !== "token_usage_record" || typeof payload !== "object" || payload === null) return;
    if (!("response_id" in payload) || typeof payload.response_id !== "string") return;
    this.bookmarks.endResponse(payload.response_id, this.items.length, place);
  }

  /** The first meta counts: a fork has that of its origin behind its own. */
  #begin(meta: SessionMetaLine, { end }: LinePlace): void {
    if (this.meta !== undefined) return;
    this.meta = meta;
    this.begin = end;
  }

  #addItem(item: ResponseItem, place: LinePlace): void {
    if (!isKeptItem(item)) return;
    this.items.push(item);
    this.bookmarks.afterItem(item, this.items.length, place);
    if (isUserMessage(item)) this.turns.userItem(place);
  }

  #addEvent(logged: EventMsg, place: LinePlace): void {
    const { msg, responseId } = ofStep(logged);
    if (msg.type === "item_completed") {
      for (const event of eventsOf(msg)) this.#addEvent(event, place);
    }
    if (isPersistedEvent(msg, { recordsTasks: true })) this.events.push(msg);
    this.turns.event(msg, place);
    if (responseId !== undefined) {
      this.bookmarks.endResponse(responseId, this.items.length, place);
    }
    if (msg.type === "token_count") this.tokens = msg;
    else if (msg.type === "thread_name_updated") this.name = msg.thread_name ?? undefined;
    else if (msg.type === "thread_rolled_back") this.#rollBack(msg.num_turns, place);
    else if (msg.type === "task_complete" || msg.type === "turn_aborted") {
      if (msg.response_id !== undefined) this.bookmarks.endTask(msg.response_id);
    }
  }

  #rollBack(turns: number, place: LinePlace): void {
    this.items.length = lengthWithoutLastTurns(this.items, turns);
    this.bookmarks.cut(this.items.length, place);
  }

  #compact(compacted: CompactedItem, place: LinePlace): void {
    const { replacement_history, message, response_id } = compacted;
    const replacement = replacement_history?.filter(isKeptItem) ?? this.#summarized(message);
    this.items = replacement;
    this.#summaries.add(message);
    this.isOnlyStored = response_id != null && replacement.length === 0;
    this.bookmarks.replace(replacement.length, place, response_id ?? undefined);
  }

  /** What the conversation became, where only its summary was recorded. */
  #summarized(summary: string): ResponseItem[] {
    const form = compactionForm(this.meta?.cli_version);
    return toCompactedItems({
      form,
      initialContext: this.#initialContext ?? initialContextOf(this.items),
      userMessages: collectUserMessages(this.items, form, this.#summaries),
      summary,
    });
  }
}

/** What a step has cost is logged with its response, which is no part of the event. */
function ofStep(logged: EventMsg): { msg: EventMsg; responseId?: string } {
  if (logged.type !== "token_count") return { msg: logged };
  const { response_id, ...msg } = logged as TokenCountEvent & { response_id?: unknown };
  return typeof response_id === "string" ? { msg, responseId: response_id } : { msg: logged };
}

/** Versions that log items say in them what others say in events of their own. */
function eventsOf({ item }: ItemCompletedEvent): EventMsg[] {
  // Newer versions have more kinds of items than are known here.
  return eventsOfCompletedItem(item, { showRawReasoning: true }) ?? [];
}

/** The form that a version of the reference gave to a compacted conversation. */
function compactionForm(version: string | undefined): CompactionForm {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  return major === "0" && Number(minor) > 0 && Number(minor) < 54 ? "bridge" : "messages";
}
