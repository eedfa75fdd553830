import { SharedNotification } from "../../../jsonrpc/index.js";

/** Something a thread tells its clients, with its place in the order of all that it told. */
export class FeedMessage {
  readonly seq: number;
  /** About what it takes in memory. */
  readonly bytes: number;
  /** An event of the queues, which only those hear who asked for them. */
  readonly isLegacy: boolean;
  readonly plain: SharedNotification;
  #numbered: SharedNotification | undefined;

  constructor(seq: number, plain: SharedNotification, bytes: number, isLegacy: boolean) {
    this.seq = seq;
    this.plain = plain;
    this.bytes = bytes;
    this.isLegacy = isLegacy;
  }

  /** Keeps only what it says: few ask for it again, and as text it is half as much once more. */
  forgetText(): void {
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
