import type { EventMsg, ResponseItem } from "../protocol/types.js";
import { messageKind } from "./items/response-item.js";
import type { LinePlace } from "./read.js";

/** Where a response ended, in the conversation and in its file. */
export interface Bookmark {
  /**
   * How many items the conversation had then.
   *
   * Absent when they are not its beginning any more, because it was compacted or rolled back; the
   * file up to `end` still tells them.
   */
  length: number | undefined;
  /** The byte behind the last line that belongs to it. */
  end: number;
}

/** The points of a conversation that a client can come back to, by the id of a response. */
export class Bookmarks {
  readonly all = new Map<string, Bookmark>();
  lastResponseId: string | undefined;
  /** Behind the last item that the model made or a tool answered. */
  #lastModelItem: Bookmark;
  #open: Bookmark | undefined;

  /** `length` counts the items that the conversation has from another file. */
  constructor(length = 0) {
    this.#lastModelItem = { length, end: 0 };
  }

  /** An item was added; outputs of a response's calls belong to the response. */
  afterItem(item: ResponseItem, length: number, { end }: LinePlace): void {
    const isOutput =
      item.type === "function_call_output" || item.type === "custom_tool_call_output";
    if (!isOutput) this.#open = undefined;
    else if (this.#open !== undefined) Object.assign(this.#open, { length, end });
    if (item.type !== "message" || item.role === "assistant") this.#lastModelItem = { length, end };
  }

  /** A response is complete, though the outputs of its calls may follow. */
  endResponse(responseId: string, length: number, { end }: LinePlace): void {
    this.#open = { length, end };
    this.all.set(responseId, this.#open);
    this.lastResponseId = responseId;
  }

  /**
   * A task has ended whose last whole response was this one.
   *
   * Of a response that failed or was interrupted nothing is recorded, so what stands behind the last
   * item of the model's is input that it has not answered.
   */
  endTask(responseId: string): void {
    if (!this.all.has(responseId)) this.all.set(responseId, { ...this.#lastModelItem });
    this.lastResponseId = responseId;
  }

  /** The conversation was cut back to its first items. */
  cut(length: number, { end }: LinePlace): void {
    for (const bookmark of this.all.values()) {
      if (bookmark.length !== undefined && bookmark.length > length) bookmark.length = undefined;
    }
    this.#restart(length, end);
  }

  /** Other items took the place of all; those of a response, if the conversation went back to it. */
  replace(length: number, place: LinePlace, responseId: string | undefined): void {
    const returned = responseId === undefined ? undefined : this.all.get(responseId);
    if (returned?.length === length) {
      this.cut(length, place);
    } else {
      for (const bookmark of this.all.values()) bookmark.length = undefined;
      if (returned !== undefined) returned.length = length;
      else if (responseId !== undefined) this.all.set(responseId, { length, end: place.end });
      this.#restart(length, place.end);
    }
    this.lastResponseId = responseId;
  }

  #restart(length: number, end: number): void {
    this.#open = undefined;
    this.#lastModelItem = { length, end };
    this.lastResponseId = undefined;
  }
}

/** Where a turn lies in its file. */
export interface TurnMark {
  /** Its own id, or `turn-1`, `turn-2`… where none was recorded. */
  id: string;
  start: number;
  /** The byte behind its last line; absent while no end was recorded. */
  end: number | undefined;
}

/** Where the turns and the user's messages of a rollout lie, those taken back left out. */
export class TurnMarks {
  readonly turns: TurnMark[] = [];
  /** Of turns with the same id the last. */
  #byId = new Map<string, TurnMark>();
  /** Where each message of the user begins. */
  readonly userItems: LinePlace[] = [];
  #open: { mark: TurnMark; explicit: boolean } | undefined;
  #lastStarted: LinePlace | undefined;
  #lastReview: LinePlace | undefined;

  userItem({ number, start, end }: LinePlace): void {
    // A turn that has only been opened is not worth keeping without the message that it is about.
    const opening = this.#lastStarted;
    const from = opening !== undefined && opening.end === start ? opening : { number, start };
    this.userItems.push({ number: from.number, start: from.start, end });
  }

  event(msg: EventMsg, place: LinePlace): void {
    switch (msg.type) {
      case "task_started":
        this.#lastStarted = place;
        this.#begin(msg.turn_id ?? undefined, this.#startOf(place), true);
        break;
      case "entered_review_mode":
        this.#lastReview = place;
        break;
      case "user_message":
        if ((msg.kind ?? messageKind(msg.message)) === "plain") this.#userMessage(place);
        break;
      case "task_complete":
      case "turn_aborted":
        this.#end(msg.turn_id ?? undefined, place.end);
        break;
      case "thread_rolled_back":
        this.#open = undefined;
        this.turns.length = Math.max(0, this.turns.length - msg.num_turns);
        this.#byId = new Map(this.turns.map((turn) => [turn.id, turn]));
        this.userItems.length = Math.max(0, this.userItems.length - msg.num_turns);
        break;
      default:
        break;
    }
  }

  /** A review is told of before its turn begins, and belongs to it. */
  #startOf({ start }: LinePlace): number {
    return this.#lastReview?.end === start ? this.#lastReview.start : start;
  }

  /** Without a mark of its own, a turn begins with the message of the user. */
  #userMessage({ start }: LinePlace): void {
    if (this.#open?.explicit) return;
    const item = this.userItems.at(-1);
    this.#begin(undefined, item?.end === start ? item.start : start, false);
  }

  #begin(id: string | undefined, start: number, explicit: boolean): void {
    if (this.#open !== undefined) this.#open.mark.end ??= start;
    const mark = { id: id ?? `turn-${this.turns.length + 1}`, start, end: undefined };
    this.turns.push(mark);
    this.#byId.set(mark.id, mark);
    this.#open = { mark, explicit };
  }

  #end(id: string | undefined, end: number): void {
    const named = id === undefined ? undefined : this.#byId.get(id);
    const mark = named ?? this.#open?.mark;
    if (mark !== undefined) mark.end = end;
    if (mark === this.#open?.mark && this.#open?.explicit) this.#open = undefined;
  }
}
