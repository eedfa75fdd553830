import type { Channel } from "../../../src/transport/index.js";

interface QueueEvent {
  id: string;
  msg: { type: string; [key: string]: unknown };
}

/** A client of the queues at a gateway. */
export class QueueClient {
  readonly events: QueueEvent[] = [];
  readonly #channel: Channel;
  readonly #incoming: AsyncIterator<unknown>;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.#incoming = channel.incoming[Symbol.asyncIterator]();
  }

  submit(id: string, op: object): void {
    this.#channel.send({ id, op });
  }

  /** Reads up to an event of a type. */
  async until(type: string): Promise<QueueEvent> {
    for (;;) {
      const { value, done } = await this.#incoming.next();
      if (done) throw new Error(`The queue ended before ${type}`);
      this.events.push(value as QueueEvent);
      if ((value as QueueEvent).msg.type === type) return value as QueueEvent;
    }
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}
