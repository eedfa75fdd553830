import type { EventMsg, ResponseItem } from "../protocol/types.js";
import { messageKind } from "./items/response-item.js";
import type { LinePosition } from "./read.js";

/** End of a response, in the conversation and in its file. */
export interface Bookmark {
  /**
   * Number of items at that point.
   *
   * Undefined after a compaction or rollback, when they are no longer a prefix of the conversation;
   * the file up to `end` still contains them.
   */
  length: number | undefined;
  /** Offset after its last line. */
  end: number;
}

const outputs: ReadonlySet<ResponseItem["type"]> = new Set<ResponseItem["type"]>([
  "function_call_output",
  "custom_tool_call_output",
  "tool_search_output",
]);

/** Points of a conversation that a client can return to, by response id. */
export class Bookmarks {
  readonly all = new Map<string, Bookmark>();
  lastResponseId: string | undefined;
  /** Position after the last item from the model or a tool. */
  #lastModelItem: Bookmark;
  #open: Bookmark | undefined;

  /** `length` is the number of items inherited from another file. */
  constructor(length = 0) {
    this.#lastModelItem = { length, end: 0 };
  }

  /** Records an added item; outputs of a response's calls belong to the response. */
  afterItem(item: ResponseItem, length: number, { end }: LinePosition): void {
    const isOutput = outputs.has(item.type);
    if (!isOutput) this.#open = undefined;
    else if (this.#open !== undefined) Object.assign(this.#open, { length, end });
    if (item.type !== "message" || item.role === "assistant") this.#lastModelItem = { length, end };
  }

  /** Records the end of a response; outputs of its calls may still follow. */
  endResponse(responseId: string, length: number, { end }: LinePosition): void {
    this.#open = { length, end };
    this.all.set(responseId, this.#open);
    this.lastResponseId = responseId;
  }

  /**
   * Records the end of a task and its last complete response.
   *
   * Failed and interrupted responses are not recorded, so items after the model's last one are
   * unanswered input.
   */
  endTask(responseId: string): void {
    if (!this.all.has(responseId)) this.all.set(responseId, { ...this.#lastModelItem });
    this.lastResponseId = responseId;
  }

  /** Records a rollback to the first `length` items. */
  cut(length: number, { end }: LinePosition): void {
    for (const bookmark of this.all.values()) {
      if (bookmark.length !== undefined && bookmark.length > length) bookmark.length = undefined;
    }
    this.#restart(length, end);
  }

  /** Records that all items were replaced, or reset to the end of an earlier response. */
  replace(length: number, position: LinePosition, responseId: string | undefined): void {
    const returned = responseId === undefined ? undefined : this.all.get(responseId);
    if (returned?.length === length) {
      this.cut(length, position);
    } else {
      for (const bookmark of this.all.values()) bookmark.length = undefined;
      if (returned !== undefined) returned.length = length;
      else if (responseId !== undefined) this.all.set(responseId, { length, end: position.end });
      this.#restart(length, position.end);
    }
    this.lastResponseId = responseId;
  }

  #restart(length: number, end: number): void {
    this.#open = undefined;
    this.#lastModelItem = { length, end };
    this.lastResponseId = undefined;
  }
}

/** Position of a turn in its file. */
export interface TurnMark {
  /** Recorded id, or `turn-1`, `turn-2`… if none was recorded. */
  id: string;
  start: number;
  /** Offset after its last line; undefined while no end was recorded. */
  end: number | undefined;
}

/** Tracks the positions of turns and user messages, without those rolled back. */
export class TurnMarks {
  readonly turns: TurnMark[] = [];
  /** The last turn with each id. */
  #byId = new Map<string, TurnMark>();
  /** Position of each user message. */
  readonly userItems: LinePosition[] = [];
  #open: { mark: TurnMark; explicit: boolean } | undefined;
  #lastStarted: LinePosition | undefined;
  #lastReview: LinePosition | undefined;

  userItem({ number, start, end }: LinePosition): void {
    // The line that starts the turn is cut together with its user message.
    const opening = this.#lastStarted;
    const from = opening !== undefined && opening.end === start ? opening : { number, start };
    this.userItems.push({ number: from.number, start: from.start, end });
  }

  event(msg: EventMsg, position: LinePosition): void {
    switch (msg.type) {
      case "task_started":
        this.#lastStarted = position;
        this.#begin(msg.turn_id ?? undefined, this.#startOf(position), true);
        break;
      case "entered_review_mode":
        this.#lastReview = position;
        break;
      case "user_message":
        if ((msg.kind ?? messageKind(msg.message)) === "plain") this.#userMessage(position);
        break;
      case "task_complete":
      case "turn_aborted":
        this.#end(msg.turn_id ?? undefined, position.end);
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

  /** A review event is recorded before its turn starts, and belongs to it. */
  #startOf({ start }: LinePosition): number {
    return this.#lastReview?.end === start ? this.#lastReview.start : start;
  }

  /** Without a start event, a turn starts with the user message. */
  #userMessage({ start }: LinePosition): void {
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
