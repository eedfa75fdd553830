import { type Notification, SharedNotification } from "../../jsonrpc/index.js";
import type { Responder } from "../requests/request.js";

/** A notification of a thread, with its sequence number. */
export class FeedMessage {
  /** 0 if it has none: it is not repeated for clients that reconnect. */
  readonly seq: number;
  /** Approximate size in memory; 0 until it is known. */
  bytes: number;
  /** True for an event of the engine (`codex/event/…`), sent only to clients that want them. */
  readonly isLegacy: boolean;
  readonly plain: SharedNotification;
  #numbered: SharedNotification | undefined;

  /** `length` is the length of the text, if known before it is serialized. */
  constructor(seq: number, plain: SharedNotification, isLegacy: boolean, length?: number) {
    this.seq = seq;
    this.plain = plain;
    this.bytes = length === undefined ? 0 : length + bytesPerMessage;
    this.isLegacy = isLegacy;
  }

  /** Drops the serialized text: it is rarely needed again, and adds half the size. */
  compact(): void {
    if (this.bytes === 0) this.bytes = (this.#numbered ?? this.plain).weight + bytesPerMessage;
    this.plain.forgetText();
    this.#numbered = undefined;
  }

  /** The notification with its `seq`, for clients that want sequence numbers. */
  get numbered(): SharedNotification {
    if (this.seq === 0) return this.plain;
    const { content, members } = this.plain;
    this.#numbered ??= new SharedNotification(content, { ...members, seq: this.seq });
    return this.#numbered;
  }
}

/** Approximate memory of a message besides its content. */
const bytesPerMessage = 400;

/** A client that is subscribed to a thread. Its methods must not throw. */
export interface Subscriber extends Responder {
  /** True if it also receives the events of the engine (`codex/event/…`). */
  readonly wantsLegacy: boolean;
  notify(message: FeedMessage): void;
  /** Returns a promise while the client is far behind; the engine waits for it. */
  room?(): Promise<void> | undefined;
  /** Some of the missed messages are no longer available. */
  onGap(gap: { after: number; seq: number }): void;
  /** The thread has ended; no message follows. */
  onEnd?(): void;
}

/** A message to send, and its number; 0 if it is not repeated for clients that reconnect. */
interface Outgoing {
  seq: number;
  /** True for an event of the engine (`codex/event/…`). */
  isLegacy: boolean;
  /** Length of the text, if known before it is serialized. */
  length?: number | undefined;
}

/** Sends the messages of a thread to its subscribers, and buffers them for a while for clients that reconnect. */
export class Broadcast {
  readonly subscribers = new Set<Subscriber>();
  /** Number of the last message. */
  seq = 0;
  #legacySubscribers = 0;
  readonly #recent = new RecentMessages(maxRecentBytes);

  get hasLegacySubscribers(): boolean {
    return this.#legacySubscribers > 0;
  }

  /** Number of the last message that is no longer buffered. */
  get lost(): number {
    return this.#recent.lost;
  }

  /** Adds a subscriber; the returned function removes it, and returns false if that was done before. */
  add(subscriber: Subscriber): () => boolean {
    this.subscribers.add(subscriber);
    if (subscriber.wantsLegacy) this.#legacySubscribers++;
    return () => {
      if (!this.subscribers.delete(subscriber)) return false;
      if (subscriber.wantsLegacy) this.#legacySubscribers--;
      return true;
    };
  }

  /** Returns a promise while a subscriber is far behind. */
  room(): Promise<void> | undefined {
    for (const subscriber of this.subscribers) {
      const room = subscriber.room?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  send(notification: SharedNotification, { seq, isLegacy, length }: Outgoing): void {
    if (seq > 0) this.seq = seq;
    const message = new FeedMessage(seq, notification, isLegacy, length);
    for (const subscriber of this.subscribers) {
      if (!isLegacy || subscriber.wantsLegacy) subscriber.notify(message);
    }
    if (seq === 0) return;
    message.compact();
    this.#recent.add(message);
  }

  /** Sends a subscriber the messages after a number, or reports the gap if some are no longer buffered. */
  repeat(subscriber: Subscriber, after: number): void {
    const missed = this.#recent.after(after);
    if (missed === undefined) {
      subscriber.onGap({ after, seq: this.lost });
      return;
    }
    for (const message of missed) {
      if (!message.isLegacy || subscriber.wantsLegacy) subscriber.notify(message);
    }
  }

  /** Removes all subscribers after notifying them of the end. */
  end(): void {
    for (const subscriber of [...this.subscribers]) subscriber.onEnd?.();
    this.subscribers.clear();
  }
}

/** Size of the buffer for clients that reconnect. */
const maxRecentBytes = 256 * 1024;

/** Recent messages of a thread, within a size limit, for clients that reconnect. */
export class RecentMessages {
  #messages: FeedMessage[] = [];
  #first = 0;
  #bytes = 0;
  #maxBytes: number;
  /** Sequence number of the last message that was dropped. */
  lost = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(message: FeedMessage): void {
    this.#messages.push(message);
    this.#bytes += message.bytes;
    while (this.#bytes > this.#maxBytes && this.#first < this.#messages.length - 1) this.#drop();
    if (this.#first > 256) this.#compact();
  }

  /** Returns the messages after a number; `undefined` if some of them were dropped. */
  after(seq: number): FeedMessage[] | undefined {
    if (seq < this.lost) return undefined;
    return this.#messages.slice(this.#first).filter((message) => message.seq > seq);
  }

  #drop(): void {
    const dropped = this.#messages[this.#first++];
    if (dropped === undefined) return;
    this.#bytes -= dropped.bytes;
    this.lost = dropped.seq;
  }

  /** Frees the dropped slots; not for every message, since it copies the list. */
  #compact(): void {
    this.#messages = this.#messages.slice(this.#first);
    this.#first = 0;
  }
}

/** Params of a text delta of any item. */
interface DeltaParams {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
  summaryIndex?: number;
  contentIndex?: number;
}

/** Returns true for the params of a text delta. */
export function isDelta(params: object): params is DeltaParams {
  return "delta" in params;
}

/** Serializes text deltas; the part that all deltas of one item share is serialized once. */
export class DeltaWriter {
  #method = "";
  #params: DeltaParams | undefined;
  #head = "";

  write(
    method: string,
    params: DeltaParams,
    members?: { emittedAtMs: number },
  ): SharedNotification {
    if (!this.#isSameText(method, params)) {
      const { delta: _, ...place } = params;
      // Everything but the closing brace; the delta comes last.
      this.#head = `{"method":${JSON.stringify(method)},"params":${JSON.stringify(place).slice(0, -1)},"delta":`;
      this.#method = method;
      this.#params = params;
    }
    return new DeltaNotification({ method, params }, members, this.#head);
  }

  #isSameText(method: string, params: DeltaParams): boolean {
    const last = this.#params;
    return (
      last !== undefined &&
      this.#method === method &&
      last.itemId === params.itemId &&
      last.turnId === params.turnId &&
      last.threadId === params.threadId &&
      last.summaryIndex === params.summaryIndex &&
      last.contentIndex === params.contentIndex
    );
  }
}

class DeltaNotification extends SharedNotification {
  #head: string;

  constructor(content: Notification, members: { emittedAtMs: number } | undefined, head: string) {
    super(content, members && { ...members });
    this.#head = head;
  }

  override get weight(): number {
    return this.#head.length + (this.content.params as DeltaParams).delta.length;
  }

  protected override serialize(): string {
    const { delta } = this.content.params as DeltaParams;
    const time = this.members?.emittedAtMs;
    const tail = time === undefined ? "}}" : `},"emittedAtMs":${time}}`;
    return this.#head + JSON.stringify(delta) + tail;
  }
}

/** Merges two deltas of one text, for a client that reads slowly; `undefined` if they differ. */
export function mergeItemDeltas(
  previous: Notification,
  next: Notification,
): Notification | undefined {
  if (previous.method !== next.method || !deltas.has(next.method)) return undefined;
  const [first, second] = [previous.params, next.params] as [DeltaParams, DeltaParams];
  const isSame =
    first.itemId === second.itemId &&
    first.turnId === second.turnId &&
    first.threadId === second.threadId &&
    first.summaryIndex === second.summaryIndex &&
    first.contentIndex === second.contentIndex;
  if (!isSame) return undefined;
  return { method: next.method, params: { ...second, delta: first.delta + second.delta } };
}

const deltas: ReadonlySet<string> = new Set([
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/textDelta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
]);
