import { type Notification, SharedNotification } from "../../jsonrpc/index.js";

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

/** What a thread has told lately, within bounds, for clients that come back. */
export class Recent {
  #messages: FeedMessage[] = [];
  #first = 0;
  #bytes = 0;
  #maxBytes: number;
  /** The number of the last message that is gone. */
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

  /** All that came after a number, or undefined when some of it is gone. */
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

  /** Moves the list together now and then, not for every message that goes. */
  #compact(): void {
    this.#messages = this.#messages.slice(this.#first);
    this.#first = 0;
  }
}

/** The params of a piece of text, whatever it is a piece of. */
interface DeltaParams {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
  summaryIndex?: number;
  contentIndex?: number;
}

/** Whether something that is told is a piece of a text. */
export function isDelta(params: object): params is DeltaParams {
  return "delta" in params;
}

/** Writes the pieces of texts: what is the same for all pieces of one text is written once. */
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
      // All but the closing brace; the piece comes last.
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

/** Puts two pieces of one text together for a client that reads slowly. */
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
