import { Queue } from "../lib/queue.js";
import type { Event, Submission } from "../protocol/types.js";

/**
 * The two queues between a client and the engine, as the engine sees them.
 *
 * They may live in this process, or on a broker between machines.
 */
export interface QueuePair {
  /** Submissions in the order they were made; the engine stops when it ends. */
  readonly submissions: AsyncIterable<Submission>;
  /** Never waits and never throws: a slow or lost client must not stop a task. */
  publish(event: Event): void;
  /** No event follows. */
  end(): void;
}

/** A queue pair in this process, with the client's side of it. */
export interface InProcessQueues extends QueuePair {
  readonly submissions: Queue<Submission>;
  readonly events: Queue<Event>;
}

/** Makes the queues of a client and an engine that share a process. */
export function createQueues(): InProcessQueues {
  const submissions = new Queue<Submission>();
  const events = new Queue<Event>();
  return {
    submissions,
    events,
    publish: (event) => events.push(event),
    end: () => events.close(),
  };
}
