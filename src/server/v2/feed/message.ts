import { SharedNotification } from "../../../jsonrpc/index.js";

/** Something a thread tells its clients, with its place in the order of all that it told. */
export class FeedMessage {
  readonly seq: number;
  /** About what it takes in memory; of most known once it is kept. */
  bytes: number;
  /** An event of the queues, which only those hear who asked for them. */
  readonly isLegacy: boolean;
  readonly plain: SharedNotification;
  #numbered: SharedNotification | undefined;

  /** `length` is that of its text, where it is known before it is written. */
  constructor(seq: number, plain: SharedNotification, isLegacy: boolean, length?: number) {
    this.seq = seq;
    this.plain = plain;
    this.bytes = length === undefined ? 0 : length + perMessage;
    this.isLegacy = isLegacy;
  }

  /** Keeps only what it says: few ask for it again, and as text it is half as much once more. */
  keep(): void {
    if (this.bytes === 0) this.bytes = (this.#numbered ?? this.plain).weight + perMessage;
    this.plain.forgetText();
    this.#numbered = undefined;
  }

  /** The same with its number, for clients that count. */
  get numbered(): SharedNotification {
    const { content, members } = this.plain;
    this.#numbered ??= new SharedNotification(content, { ...members, seq: this.seq });
    return this.#numbered;
  }
}

/** What a message costs in memory besides what it says. */
const perMessage = 400;
