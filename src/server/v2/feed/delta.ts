import { type Notification, SharedNotification } from "../../../jsonrpc/index.js";

/** The params of a piece of text, whatever it is a piece of. */
export interface DeltaParams {
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
