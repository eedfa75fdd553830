import type { Broker, ThreadMark } from "../broker.js";
import { untilReached } from "../until-reached.js";

/** The threads that are archived or deleted, as this gateway knows them. */
export class ThreadMarks {
  readonly #broker: Broker;
  readonly #known = new Map<string, ThreadMark>();
  readonly #onChange: (threadId: string, kind: ThreadMark["kind"] | undefined) => void;
  #ready: Promise<void> | undefined;
  #isReady = false;

  /** `onChange` is called for the changes of other gateways and workers. */
  constructor(
    broker: Broker,
    onChange: (threadId: string, kind: ThreadMark["kind"] | undefined) => void,
  ) {
    this.#broker = broker;
    this.#onChange = onChange;
  }

  /** Resolves when all marks are known. */
  ready(): Promise<void> {
    this.#ready ??= this.#watch().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  kindOf(threadId: string): ThreadMark["kind"] | undefined {
    return this.#known.get(threadId)?.kind;
  }

  /** Marks a thread; resolves when that is durable. */
  async put(mark: ThreadMark): Promise<void> {
    this.#known.set(mark.threadId, mark);
    await untilReached(() => this.#broker.marks.put(mark));
  }

  async remove(threadId: string): Promise<void> {
    this.#known.delete(threadId);
    await untilReached(() => this.#broker.marks.remove(threadId));
  }

  async #watch(): Promise<void> {
    const { marks } = this.#broker;
    const onMark = (threadId: string, mark: ThreadMark | undefined) => this.#onMark(threadId, mark);
    // The broker ends it when it is closed.
    await untilReached(() => marks.watch(onMark, new AbortController().signal));
    this.#isReady = true;
  }

  #onMark(threadId: string, mark: ThreadMark | undefined): void {
    const before = this.#known.get(threadId);
    if (mark === undefined) this.#known.delete(threadId);
    else this.#known.set(threadId, mark);
    // What a worker has deleted is gone; that was reported with the mark.
    const isEnd = before?.kind === "deleted" && mark === undefined;
    if (this.#isReady && before?.kind !== mark?.kind && !isEnd)
      this.#onChange(threadId, mark?.kind);
  }
}
