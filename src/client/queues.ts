import type { Event, Op } from "../protocol/types.js";
import { type Channel, type ConnectOptions, Malformed } from "../transport/index.js";
import { dial } from "./connect.js";

/** A connection to the submission and event queues of an engine, such as `quire proto`. */
export interface QueueClient {
  /** Sends an op; returns the submission id that its events carry. */
  submit(op: Op): string;
  /**
   * Events of the engine in order, for one reader; ends with the connection.
   *
   * Events of all versions have the current format. Unknown types are passed through; unreadable
   * events are skipped and reported to `onFault`.
   */
  readonly events: AsyncIterable<Event>;
  /** Ends the connection, and with it the engine behind it. */
  close(): Promise<void>;
}

/** Options for `connectQueues`. */
export interface ConnectQueuesOptions extends ConnectOptions {
  /** Called for messages of the server that are not events. */
  onFault?(error: unknown): void;
}

/**
 * Connects to the queues over a channel or at an address.
 *
 * The client owns the channel: `close` closes it.
 */
export async function connectQueues(
  target: Channel | string,
  options: ConnectQueuesOptions = {},
): Promise<QueueClient> {
  const channel = typeof target === "string" ? await dial(target, options) : target;
  const { parseEvent } = await import("../protocol/read/event.js");
  let count = 0;
  return {
    submit(op) {
      const id = String(++count);
      channel.send({ id, op });
      return id;
    },
    events: readEvents(channel, parseEvent, options.onFault),
    close: () => channel.close(),
  };
}

async function* readEvents(
  channel: Channel,
  parse: (value: unknown) => Event,
  onFault: ((error: unknown) => void) | undefined,
): AsyncGenerator<Event> {
  for await (const message of channel.incoming) {
    try {
      if (message instanceof Malformed) throw new Error(message.reason);
      yield parse(message);
    } catch (error) {
      onFault?.(error);
    }
  }
}
