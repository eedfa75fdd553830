import { Queue } from "../lib/async.js";
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
  /**
   * Returns a promise if the client is far behind: sources that can wait, such as the stream of a model
   * or the output of a command, wait for it before they publish more. Called very often, so it is cheap.
   */
  room?(): Promise<void> | undefined;
  /** No event follows. */
  end(): void;
}

/** A queue pair in this process, with the client's side of it. */
export interface InProcessQueues extends QueuePair {
  readonly submissions: Queue<Submission>;
  readonly events: Queue<Event>;
}

/**
 * Makes the queues of a client and an engine that share a process.
 *
 * `room` is the one of `QueuePair`; without it the engine never waits for its client.
 */
export function createQueues({ room }: Pick<QueuePair, "room"> = {}): InProcessQueues {
  const submissions = new Queue<Submission>();
  const events = new Queue<Event>();
  return {
    submissions,
    events,
    publish: (event) => events.push(event),
    end: () => events.close(),
    ...(room === undefined ? {} : { room }),
  };
}
