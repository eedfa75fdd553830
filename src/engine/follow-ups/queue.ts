import { CodexError } from "../../protocol/error.js";
import type { InputItem, QueueChange, QueuedInput } from "../../protocol/types.js";
import type { ThreadWork } from "../../rollout/index.js";
import { isEmptyInput } from "../messages.js";
import type { Session } from "../session.js";

/** Input of the user that starts separate turns, one after the other. Every change is an event in the log. */
export class InputQueue {
  readonly #session: Session;
  readonly #work: ThreadWork;

  constructor(session: Session, work: ThreadWork) {
    this.#session = session;
    this.#work = work;
  }

  get isEmpty(): boolean {
    return this.#work.queue.length === 0;
  }

  add(input: QueuedInput): void {
    assertInput(input.items);
    this.#change({ type: "added", input });
  }

  update(id: string, items: InputItem[]): void {
    this.find(id);
    assertInput(items);
    this.#change({ type: "updated", id, items });
  }

  /** Removes input; does nothing if it is not queued. */
  remove(id: string): void {
    if (this.#work.queue.some((one) => one.id === id)) this.#change({ type: "removed", id });
  }

  reorder(ids: readonly string[]): void {
    this.assertOrder(ids);
    this.#change({ type: "reordered", ids: [...ids] });
  }

  /** Throws if the ids are not all ids of the queue, each once. */
  assertOrder(ids: readonly string[]): void {
    const known = new Set(this.#work.queue.map(({ id }) => id));
    if (new Set(ids).size === ids.length && ids.length === known.size) {
      if (ids.every((id) => known.has(id))) return;
    }
    throw invalid("queue reorder must include every queued submission exactly once");
  }

  /** Returns queued input by its id, or the first; throws if there is none. */
  find(id?: string): QueuedInput {
    const { queue } = this.#work;
    const found = id === undefined ? queue[0] : queue.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw invalid(id === undefined ? "queue is empty" : `queued submission not found: ${id}`);
  }

  /** Removes input because it starts a turn. */
  take(input: QueuedInput, turnId: string): void {
    this.#change({ type: "started", id: input.id, turn_id: turnId });
  }

  /** Puts input in front whose turn had not begun when the process was ended. */
  returnUnstarted(): void {
    const { starting } = this.#work;
    if (starting !== undefined) this.#change({ type: "returned", input: starting });
  }

  /** Removes all input. */
  clear(): void {
    for (const { id } of [...this.#work.queue]) this.remove(id);
  }

  #change(change: QueueChange): void {
    const msg = { type: "thread_queue_changed" as const, change };
    this.#work.apply(msg);
    this.#session.emit("", msg);
  }
}

/** Throws if there is nothing for a turn to start with. */
export function assertInput(items: readonly InputItem[]): void {
  if (!isEmptyInput(items)) return;
  throw invalid("only user input can be added to the user-message queue");
}

function invalid(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
