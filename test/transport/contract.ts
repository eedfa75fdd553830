import { expect, test } from "vitest";
import type { Channel } from "../../src/transport/index.js";

/** Two ends of one channel, and what must be closed afterwards. */
export interface ChannelPair extends AsyncDisposable {
  near: Channel;
  far: Channel;
}

/** What every transport promises, whatever carries it; run for each of them. */
export function channelContract(connect: () => Promise<ChannelPair>): void {
  test("messages arrive whole and in order", async () => {
    await using pair = await connect();
    const messages = Array.from({ length: 5000 }, (_, n) => ({ n, text: "é\n".repeat(n % 7) }));

    for (const message of messages) pair.near.send(message);

    expect(await take(pair.far, messages.length)).toEqual(messages);
  });

  test("both sides speak at the same time", async () => {
    await using pair = await connect();

    pair.near.send("ping");
    pair.far.send("pong");

    expect(await take(pair.far, 1)).toEqual(["ping"]);
    expect(await take(pair.near, 1)).toEqual(["pong"]);
  });

  test("a message of many megabytes passes", async () => {
    await using pair = await connect();
    const text = "0123456789abcdef".repeat(2 * 1024 * 1024);

    pair.near.send({ text });
    const [message] = await take(pair.far, 1);

    expect((message as { text: string }).text.length).toBe(text.length);
  });

  test("a sender that outruns its peer is told so, and later that there is room", async () => {
    await using pair = await connect();
    const text = "x".repeat(64 * 1024);
    let sent = 0;
    while (sent < 100_000 && pair.near.send({ text })) sent++;
    const all = sent + 1;

    const drained = pair.near.drained();
    const received = await take(pair.far, all);
    await drained;

    expect(sent).toBeLessThan(100_000);
    expect(received.length).toBe(all);
  });

  test("what was sent before the close still arrives, then the stream ends", async () => {
    await using pair = await connect();

    pair.near.send("last words");
    await pair.near.close();

    const received: unknown[] = [];
    for await (const message of pair.far.incoming) received.push(message);
    expect(received).toEqual(["last words"]);
  });

  test("sending to a closed channel is harmless", async () => {
    await using pair = await connect();
    await pair.near.close();
    await pair.far.close();

    pair.near.send("nobody hears this");

    await expect(pair.near.drained()).resolves.toBeUndefined();
  });
}

/** Reads so many messages. */
export async function take(channel: Channel, count: number): Promise<unknown[]> {
  const messages: unknown[] = [];
  const iterator = channel.incoming[Symbol.asyncIterator]();
  while (messages.length < count) {
    const { done, value } = await iterator.next();
    if (done) break;
    messages.push(value);
  }
  return messages;
}
