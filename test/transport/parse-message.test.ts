import { expect, test } from "vitest";
import { Malformed } from "../../src/transport/channel.js";
import { parseMessage } from "../../src/transport/parse-message.js";

const length = 63 * 1024 * 1024;

test.each([
  { what: "brackets alone", text: "[".repeat(length), reason: /nested more than 128 levels/ },
  {
    what: "brackets behind an id",
    text: `{"id":"x","op":${"[".repeat(length)}`,
    reason: /nested more than 128 levels/,
  },
  {
    what: "millions of empty lists",
    text: `[${"[],".repeat(length / 3)}[]]`,
    reason: /more than 1000000 lists and objects/,
  },
])(
  "[security H12] a message of 63 MB of $what is refused before it is parsed",
  ({ text, reason }) => {
    const before = process.memoryUsage().heapUsed;

    const refused = parseMessage(text) as Malformed;

    expect(refused).toBeInstanceOf(Malformed);
    expect(refused.reason).toMatch(reason);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
  },
);

test("[security H12] a large message is read as before", () => {
  const item = { text: '[{"\\'.repeat(20_000), list: [[[1], {}]] };
  const message = { id: 1, items: Array(2).fill(item) };

  expect(parseMessage(JSON.stringify(message))).toEqual(message);
});

test("[security H12] a large message that is no JSON names its submission", () => {
  const text = `{"id":"x","op":"${"a".repeat(100_000)}"`;

  expect(parseMessage(text)).toMatchObject({
    id: "x",
    reason: expect.stringMatching(/^The message is not JSON/),
  });
});
