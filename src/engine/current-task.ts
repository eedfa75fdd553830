import type { TurnAbortReason } from "../protocol/types.js";
import type { Task } from "./task.js";

/** Input that starts a task when those before it have ended. */
export interface QueuedInput {
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
