import { type Notification, SharedNotification } from "../../jsonrpc/index.js";

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
