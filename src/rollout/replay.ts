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
import { isHistoryItem, isUserMessage } from "./items/response-item.js";
import { isPersistedEvent } from "./persist.js";
import { Bookmarks, TurnMarks } from "./positions.js";
import type { LinePosition, RolloutVisitor } from "./read.js";
import { isSideUsage } from "./side-usage.js";
import { ThreadWork } from "./thread-work.js";

/** Rebuilds a conversation from the lines of its rollout, as the engine had it. */
export class Replay implements RolloutVisitor {
  meta: SessionMetaLine | undefined;
  /** Offset after the meta line. */
  begin = 0;
  /** Items sent to the model. */
  items: ResponseItem[] = [];
  /** Events replayed to a client on resume. */
  readonly events: EventMsg[] = [];
  bookmarks = new Bookmarks();
  turns = new TurnMarks();
  /** Number of user messages in the files this one continues. */
  inheritedUserMessages = 0;
  /** True if the conversation continues a response that only the provider stores. */
  isOnlyStored = false;
  turnContext: TurnContextItem | undefined;
  tokens: TokenCountEvent | undefined;
  name: string | undefined;
  /** Goal and queue. */
  readonly work = new ThreadWork();
  #initialContext: readonly ResponseItem[] | undefined;
  #summaries = new Set<string>();

  /** `initialContext` starts a conversation whose compaction did not record its result. */
  constructor(initialContext?: readonly ResponseItem[]) {
    this.#initialContext = initialContext;
  }

  /** Starts the next file; positions in the previous one are dropped. */
  beginNextFile(): void {
    this.meta = undefined;
    this.begin = 0;
    this.inheritedUserMessages += this.turns.userItems.length;
    this.bookmarks = new Bookmarks(this.items.length);
    this.turns = new TurnMarks();
  }

  line(line: RolloutLine, position: LinePosition): void {
    switch (line.type) {
      case "session_meta":
        this.#begin(line.payload, position);
        break;
      case "response_item":
        this.#addItem(line.payload, position);
        break;
      case "compacted":
        this.#compact(line.payload, position);
        break;
      case "turn_context":
        this.turnContext = line.payload;
        break;
      case "event_msg":
        this.#addEvent(line.payload, position);
        break;
    }
  }

  other(kind: string, payload: unknown, position: LinePosition): void {
    if (kind !== "token_usage_record" || typeof payload !== "object" || payload === null) return;
    if (!("response_id" in payload) || typeof payload.response_id !== "string") return;
    this.bookmarks.endResponse(payload.response_id, this.items.length, position);
  }

  /** The first meta counts: a fork also contains the meta of its source. */
  #begin(meta: SessionMetaLine, { end }: LinePosition): void {
    if (this.meta !== undefined) return;
    this.meta = meta;
    this.begin = end;
  }

  #addItem(item: ResponseItem, position: LinePosition): void {
    if (!isHistoryItem(item)) return;
    this.items.push(item);
    this.bookmarks.afterItem(item, this.items.length, position);
    if (!isUserMessage(item)) return;
    this.turns.userItem(position);
    this.work.starting = undefined;
  }

  #addEvent(logged: EventMsg, position: LinePosition): void {
    if (isSideUsage(logged)) return;
    const { msg, responseId } = splitResponseId(logged);
    if (msg.type === "item_completed") {
      for (const event of eventsOf(msg)) this.#addEvent(event, position);
    }
    if (isPersistedEvent(msg, { recordsTasks: true })) this.events.push(msg);
    this.turns.event(msg, position);
    this.work.apply(msg);
    if (responseId !== undefined) {
      this.bookmarks.endResponse(responseId, this.items.length, position);
    }
    if (msg.type === "token_count") this.tokens = msg;
    else if (msg.type === "thread_name_updated") this.name = msg.thread_name ?? undefined;
    else if (msg.type === "thread_rolled_back") this.#rollBack(msg.num_turns, position);
    else if (msg.type === "task_complete" || msg.type === "turn_aborted") {
      if (msg.response_id !== undefined) this.bookmarks.endTask(msg.response_id);
    }
  }

  #rollBack(turns: number, position: LinePosition): void {
    this.items.length = lengthWithoutLastTurns(this.items, turns);
    this.bookmarks.cut(this.items.length, position);
  }

  #compact(compacted: CompactedItem, position: LinePosition): void {
    const { replacement_history, message, response_id } = compacted;
    const replacement = replacement_history?.filter(isHistoryItem) ?? this.#summarized(message);
    this.items = replacement;
    this.#summaries.add(message);
    this.isOnlyStored = response_id != null && replacement.length === 0;
    this.bookmarks.replace(replacement.length, position, response_id ?? undefined);
  }

  /** Rebuilds a compacted conversation when only the summary was recorded. */
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

/**
 * Splits off the response id, which is logged with the token count of a step but is not part of the
 * event.
 */
function splitResponseId(logged: EventMsg): { msg: EventMsg; responseId?: string } {
  if (logged.type !== "token_count") return { msg: logged };
  const { response_id, ...msg } = logged as TokenCountEvent & { response_id?: unknown };
  return typeof response_id === "string" ? { msg, responseId: response_id } : { msg: logged };
}

/** Returns the events for a completed item, in files of versions that log items instead. */
function eventsOf({ item }: ItemCompletedEvent): EventMsg[] {
  // Newer versions have item types that are unknown here.
  return eventsOfCompletedItem(item, { showRawReasoning: true }) ?? [];
}

/** Returns the compaction format of a version of the reference. */
function compactionForm(version: string | undefined): CompactionForm {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  return major === "0" && Number(minor) > 0 && Number(minor) < 54 ? "bridge" : "messages";
}
