import type { InputItem, ResponseItem, TurnAbortReason } from "../protocol/types.js";
import type { Task } from "./task.js";

/** Input that starts a task when those before it have ended. */
interface QueuedInput {
  id: string;
  start(): void;
}

/** The task of a session that runs, at most one at a time, and what waits for its end. */
export class CurrentTask {
  #running: Task | undefined;
  /** What is to be done when no task runs. */
  #whenIdle: (() => void) | undefined;
  #queued: QueuedInput[] = [];

  get running(): Task | undefined {
    return this.#running;
  }

  /** Called for a task when it begins; the one before has ended. */
  begin(task: Task): void {
    this.#running = task;
  }

  /** Called by a task when it has ended. */
  end(): void {
    this.#running = undefined;
    const step = this.#whenIdle;
    this.#whenIdle = undefined;
    step?.();
  }

  /** Starts a task when the running one, and what was queued before, has ended. */
  queue(input: QueuedInput): void {
    this.#queued.push(input);
  }

  /** Starts what is queued next, if no task runs. */
  startNext(): void {
    if (this.#running === undefined) this.#queued.shift()?.start();
  }

  /** Takes out what is queued. */
  takeQueued(): QueuedInput[] {
    return this.#queued.splice(0);
  }

  /** Does something as soon as no task runs; of several things that wait only the last is done. */
  whenIdle(step: () => void): void {
    if (this.#running === undefined) step();
    else this.#whenIdle = step;
  }

  /** Ends the running task, if there is one; its tools stop and it says nothing more. */
  abort(reason: TurnAbortReason): void {
    this.#running?.abort(reason);
  }

  /** Ends the running task for good; resolves when nothing of it runs, and does nothing after it. */
  async close(): Promise<void> {
    this.#whenIdle = undefined;
    this.#queued = [];
    const task = this.#running;
    this.abort("interrupted");
    await task?.settled;
  }
}

/** Input that came while a task ran and waits for its next request. */
export class PendingInput {
  #inputs: InputItem[][] = [];
  #items: ResponseItem[] = [];

  get isEmpty(): boolean {
    return this.#inputs.length === 0;
  }

  add(items: InputItem[]): void {
    this.#inputs.push(items);
  }

  /** Keeps an item that nobody waits for an answer to; it makes no request of its own. */
  addItem(item: ResponseItem): void {
    this.#items.push(item);
  }

  /** Hands over the items that wait. */
  takeItems(): ResponseItem[] {
    return this.#items.splice(0);
  }

  /** Hands everything over, each input as its own message; nothing is handed over twice. */
  take(): InputItem[][] {
    const inputs = this.#inputs;
    this.#inputs = [];
    return inputs;
  }
}
