import { CodexError } from "../protocol/error.js";
import type { EventMsg, Goal, QueueChange, QueuedInput } from "../protocol/types.js";
import { RolloutRecorder } from "./recorder.js";

/**
 * Work that follows the running turn of a thread: its queued input and its goal.
 *
 * Rebuilt from the events of the thread, in a rollout or as they are emitted.
 */
export class ThreadWork {
  goal: Goal | undefined;
  queue: QueuedInput[] = [];
  /** Input whose turn has started, until the conversation contains it. */
  starting: QueuedInput | undefined;

  /** Reads an event; most are of no interest here. */
  apply(msg: EventMsg): void {
    switch (msg.type) {
      case "thread_goal_updated":
        this.goal = msg.goal;
        break;
      case "thread_goal_cleared":
        this.goal = undefined;
        break;
      case "thread_queue_changed":
        this.#change(msg.change);
        break;
      case "user_message":
        this.starting = undefined;
        break;
    }
  }

  /** The queue, with input whose turn ended before the conversation contained it. */
  get pending(): readonly QueuedInput[] {
    return this.starting === undefined ? this.queue : [this.starting, ...this.queue];
  }

  #change(change: QueueChange): void {
    switch (change.type) {
      case "added":
        this.queue.push(change.input);
        return;
      case "returned":
        this.starting = undefined;
        this.queue.unshift(change.input);
        return;
      case "updated":
        this.queue = this.queue.map((one) =>
          one.id === change.id ? { ...one, items: change.items } : one,
        );
        return;
      case "started":
        this.starting = this.queue.find(({ id }) => id === change.id);
        this.#remove(change.id);
        return;
      case "removed":
        this.#remove(change.id);
        return;
      case "reordered": {
        const byId = new Map(this.queue.map((one) => [one.id, one]));
        this.queue = change.ids.flatMap((id) => byId.get(id) ?? []);
      }
    }
  }

  #remove(id: string): void {
    this.queue = this.queue.filter((one) => one.id !== id);
  }
}

/** Where and when to append to a thread that is not loaded. */
interface AppendOptions {
  path: string;
  /** Path of the lock of the thread's writer. */
  lock: string;
  now(): number;
}

/**
 * Appends an event to the rollout of a thread that is not loaded.
 *
 * Throws if another process has the thread loaded, or if the line cannot be written.
 */
export async function appendToThread(msg: EventMsg, options: AppendOptions): Promise<void> {
  let failure: string | undefined;
  const recorder = new RolloutRecorder({
    ...options,
    create: "never",
    onFailure: (message) => {
      failure ??= message;
    },
  });
  recorder.append({ type: "event_msg", payload: msg });
  await recorder.close();
  if (failure === undefined) return;
  throw new CodexError("io", failure);
}
