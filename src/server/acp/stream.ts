import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isRecord } from "../../protocol/read/check.js";
import { type Channel, Malformed } from "../../transport/index.js";

/** Converts a channel to a stream of the SDK. A message that is no JSON object is answered with an error. */
export function toStream(channel: Channel): Stream {
  const messages = channel.incoming[Symbol.asyncIterator]();
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          const { value, done } = await messages.next();
          if (done) return controller.close();
          const isMessage = isRecord(value) && !(value instanceof Malformed);
          if (isMessage) return controller.enqueue(value as AnyMessage);
          channel.send(refusalOf(value));
        }
      },
      async cancel() {
        await messages.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new OutgoingMessages({
    async write(message) {
      if (!channel.send(message)) await channel.drained();
    },
  });
  return { readable, writable };
}

/**
 * A stream whose writer is never released.
 *
 * The SDK gets and releases one for every message. For the first release Node creates a second
 * JavaScript context, which takes longer than everything else before the first reply.
 */
class OutgoingMessages extends WritableStream<AnyMessage> {
  #writer: WritableStreamDefaultWriter<AnyMessage> | undefined;

  override getWriter(): WritableStreamDefaultWriter<AnyMessage> {
    if (this.#writer === undefined) {
      this.#writer = super.getWriter();
      this.#writer.releaseLock = () => {};
    }
    return this.#writer;
  }
}

function refusalOf(value: unknown) {
  const error =
    value instanceof Malformed
      ? { code: -32700, message: `Parse error: ${value.reason}` }
      : { code: -32600, message: "Invalid request: expected a JSON object" };
  return { jsonrpc: "2.0", id: null, error };
}

/**
 * Returns a channel whose messages are read only while `room` returns no promise.
 *
 * An editor that reads slowly then slows down the engine, instead of filling the memory.
 */
export function paced(channel: Channel, room: () => Promise<void> | undefined): Channel {
  async function* incoming() {
    for await (const message of channel.incoming) {
      await room();
      yield message;
    }
  }
  return Object.create(channel, { incoming: { value: incoming() } }) as Channel;
}
