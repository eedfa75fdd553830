import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { Malformed, maxLineBytes, stdioChannel } from "../../src/transport/index.js";
import { channelContract, take } from "./contract.js";

describe("stdio", () => {
  channelContract(async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    const near = stdioChannel(back, there);
    const far = stdioChannel(there, back);
    return {
      near,
      far,
      async [Symbol.asyncDispose]() {
        there.destroy();
        back.destroy();
      },
    };
  });

  test("a line that is not JSON arrives as malformed, with the id it seems to have", async () => {
    const { input, channel } = openChannel();

    input.end('{"id":"x","op":\n\n  \n[1,2]\n"after"');

    const [broken, list, after] = await take(channel, 4);
    expect(broken).toBeInstanceOf(Malformed);
    expect(broken).toMatchObject({ id: "x", reason: expect.stringContaining("not JSON") });
    expect([list, after]).toEqual([[1, 2], "after"]);
  });

  test("bytes that are not UTF-8 spoil their own line only", async () => {
    const { input, channel } = openChannel();

    input.end(
      Buffer.concat([
        Buffer.from('{"a":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}\n{"b":1}\n'),
      ]),
    );

    expect(await take(channel, 2)).toEqual([{ a: "\ufffd\ufffd" }, { b: 1 }]);
  });

  test("a byte order mark at the beginning does no harm", async () => {
    const { input, channel } = openChannel();

    input.end('\ufeff{"a":1}\n');

    expect(await take(channel, 1)).toEqual([{ a: 1 }]);
  });

  test("a message nested too deeply is refused by its id", async () => {
    const { input, channel } = openChannel();
    const deep = `{"id":"deep","op":${"[".repeat(5000)}${"]".repeat(5000)}}`;

    input.end(`${deep}\n{"id":"flat"}\n`);

    const [first, second] = await take(channel, 2);
    expect(first).toMatchObject({ id: "deep", reason: expect.stringContaining("nested") });
    expect(second).toEqual({ id: "flat" });
  });

  test("brackets inside strings do not count as nesting", async () => {
    const { input, channel } = openChannel();
    const message = { text: `${"[".repeat(1000)}\\"{{${"\\".repeat(7)}` };

    input.end(`${JSON.stringify(message)}\n`);

    expect(await take(channel, 1)).toEqual([message]);
  });

  test("a line over the limit is skipped without being kept in memory", async () => {
    const { input, channel } = openChannel();
    const chunk = Buffer.alloc(1024 * 1024, "a");
    const reading = take(channel, 2);

    for (let written = 0; written <= maxLineBytes; written += chunk.length) {
      if (!input.write(chunk)) await new Promise((resolve) => input.once("drain", resolve));
    }
    input.end('\n"after"\n');

    const [first, second] = await reading;
    expect(first).toMatchObject({ reason: "The line is longer than 64 MiB" });
    expect(second).toBe("after");
  });

  test("a character cut by a chunk border is put together again", async () => {
    const { input, channel } = openChannel();
    const bytes = Buffer.from('"grün 🎉"\n');

    for (const byte of bytes) input.write(Buffer.from([byte]));
    input.end();

    expect(await take(channel, 1)).toEqual(["grün 🎉"]);
  });
});

function openChannel() {
  const input = new PassThrough();
  return { input, channel: stdioChannel(input, new PassThrough()) };
}
