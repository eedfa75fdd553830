import fc from "fast-check";
import { expect, test } from "vitest";
import type { Channel } from "../../src/transport/index.js";

/** Two ends of one channel. */
export interface ChannelPair extends AsyncDisposable {
  near: Channel;
  far: Channel;
}

/** Properties of a transport that the contract depends on. */
export interface TransportTraits {
  /** One direction cannot end before the other. */
  noHalfClose?: boolean;
  /** It has its own size limit, so the longest message is tried in full; default: 8 MiB. */
  limitsSize?: boolean;
}

/** Tests the contract of `Channel`; run for each transport. */
export function channelContract(
  connect: () => Promise<ChannelPair>,
  { noHalfClose = false, limitsSize = false }: TransportTraits = {},
): void {
  test("messages arrive whole and in order", async () => {
    await using pair = await connect();
    const messages = Array.from({ length: 3000 }, (_, n) => ({ n, text: "é\n".repeat(n % 7) }));

    for (const message of messages) pair.near.send(message);

    expect(await take(pair.far, messages.length)).toEqual(messages);
  });

  test("any JSON value arrives unchanged, sent as a value or as text", async () => {
    await using pair = await connect();
    const near = reader(pair.near);
    const far = reader(pair.far);

    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (written) => {
        const messages: unknown[] = JSON.parse(JSON.stringify(written));
        for (const message of messages) pair.near.send(message);
        for (const message of messages) pair.far.sendText(JSON.stringify(message));
        expect(await far(messages.length)).toEqual(messages);
        expect(await near(messages.length)).toEqual(messages);
      }),
      { numRuns: 50 },
    );
  });

  test("text that other programs trip over passes", async () => {
    await using pair = await connect();
    const messages = [
      "line\nbreak\r\n\u2028\u2029\u0000\u001f",
      "\ud800 alone \udfff",
      '"quoted" \\ {"a":[',
      JSON.parse('{"__proto__":{"type":"x"},"constructor":{"prototype":{}},"":null}'),
      "🎉".repeat(10_000),
    ];

    for (const message of messages) pair.near.send(message);

    expect(await take(pair.far, messages.length)).toEqual(messages);
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });

  test("both sides speak at the same time", async () => {
    await using pair = await connect();

    pair.near.send("ping");
    pair.far.send("pong");

    expect(await take(pair.far, 1)).toEqual(["ping"]);
    expect(await take(pair.near, 1)).toEqual(["pong"]);
  });

  const mebibytes = limitsSize ? 64 : 8;
  test(`a message of ${mebibytes} MiB arrives`, async () => {
    await using pair = await connect();
    const text = "0123456789abcdef".repeat(mebibytes * 64 * 1024 - 1);

    pair.near.send({ text });
    pair.near.send("after it");
    const [message, after] = await take(pair.far, 2);

    expect((message as { text: string }).text === text).toBe(true);
    expect(after).toBe("after it");
  });

  test("`send` returns false to a sender that outruns its peer, until `drained` resolves", async () => {
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

  test("a sender that waits for room cannot fill the memory of a peer that does not read", async () => {
    await using pair = await connect();
    const text = "x".repeat(64 * 1024);
    const read = reader(pair.far);
    await Promise.all([pair.near.send("first"), read(1)]);
    let sent = 0;
    const isStuck = async () => {
      while (pair.near.send({ text })) sent++;
      sent++;
      const waiting = pair.near.drained().then(() => false);
      return Promise.race([
        waiting,
        new Promise<boolean>((resolve) => setTimeout(resolve, 150, true)),
      ]);
    };

    while (sent < 2000 && !(await isStuck())) {}

    expect(sent * text.length).toBeLessThan(48 * 1024 * 1024);
    expect((await read(sent)).length).toBe(sent);
  });

  test("messages sent before the close still arrive, then the stream ends", async () => {
    await using pair = await connect();
    const words = Array.from({ length: 2000 }, (_, n) => `${n} ${"word ".repeat(50)}`);

    for (const word of [...words, "last words"]) pair.near.send(word);
    const [received] = await Promise.all([readAll(pair.far), pair.near.close()]);

    expect(received).toEqual([...words, "last words"]);
  });

  test("the side that closes receives no more messages", async () => {
    await using pair = await connect();
    const received = readAll(pair.near);

    await pair.near.close();
    pair.far.send("too late");

    expect(await received).toEqual([]);
    expect(pair.near.isOpen).toBe(false);
  });

  test.skipIf(noHalfClose)("a side that has half-closed still receives messages", async () => {
    await using pair = await connect();

    pair.near.send("question");
    pair.near.end();
    expect(await readAll(pair.far)).toEqual(["question"]);
    pair.far.send("answer");
    const [received] = await Promise.all([readAll(pair.near), pair.far.close()]);

    expect(received).toEqual(["answer"]);
    expect(pair.near.isOpen).toBe(false);
  });

  test("sending to a closed channel is harmless", async () => {
    await using pair = await connect();
    await Promise.all([pair.near.close(), pair.far.close()]);

    pair.near.send("nobody hears this");
    pair.near.sendText('"nor this"');
    pair.near.end();
    pair.near.destroy();

    await expect(pair.near.drained()).resolves.toBeUndefined();
    await expect(pair.near.close()).resolves.toBeUndefined();
  });

  test("a peer that vanishes ends the stream and releases waiting senders", async () => {
    await using pair = await connect();
    pair.far.send("hello");
    expect(await take(pair.near, 1)).toEqual(["hello"]);
    const text = "x".repeat(64 * 1024);
    while (pair.far.send({ text })) {}
    const received = readAll(pair.far);
    const drained = pair.far.drained();

    pair.near.destroy();

    await drained;
    expect(await received).toEqual([]);
    await until(() => !pair.far.isOpen);
    pair.far.send("is anyone there?");
    await pair.far.close();
  });
}

/** Reads `count` messages. */
export async function take(channel: Channel, count: number): Promise<unknown[]> {
  return reader(channel)(count);
}

/** Returns a function that reads the next `count` messages. */
export function reader(channel: Channel): (count: number) => Promise<unknown[]> {
  const iterator = channel.incoming[Symbol.asyncIterator]();
  return async (count) => {
    const messages: unknown[] = [];
    while (messages.length < count) {
      const { done, value } = await iterator.next();
      if (done) break;
      messages.push(value);
    }
    return messages;
  };
}

/** Reads to the end. */
export async function readAll(channel: Channel): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of channel.incoming) messages.push(message);
  return messages;
}

/** Polls for a condition that emits no event. */
export async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5));
}
