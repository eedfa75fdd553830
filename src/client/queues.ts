import type { Event, Op } from "../protocol/types.js";
import { type Channel, type ConnectOptions, Malformed } from "../transport/index.js";
import { dial } from "./connect.js";

/** A connection to the submission and event queues of an engine, such as `quire proto`. */
export interface QueueClient {
  /** Sends an op; returns the id of its submission, which the events that follow from it carry. */
  submit(op: Op): string;
  /**
   * The events of the engine in order, for one reader; ends with the connection.
   *
   * Events of every version come in the one form. One of a type that is not known comes as it is;
   * one that cannot be read is passed over, and `onFault` hears of it.
   */
  readonly events: AsyncIterable<Event>;
  /** Ends the connection, and with it the engine behind it. */
  close(): Promise<void>;
}

/** Options for `connectQueues`. */
export interface ConnectQueuesOptions extends ConnectOptions {
  /** Hears of what the server sent that is no event. */
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
