import type { EventMsg } from "../protocol/types.js";
import { messageKind } from "./items/message-kind.js";
import type { LinePlace } from "./read.js";

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
