import fc from "fast-check";
import { expect, test } from "vitest";
import { Malformed } from "../../src/transport/channel.js";
import {
  asksForEvents,
  EventStreamParser,
  keepAliveComment,
  toEvent,
} from "../../src/transport/event-stream.js";
import { ReplayBuffer } from "../../src/transport/replay-buffer.js";

function read(...chunks: (string | Uint8Array)[]) {
  const messages: unknown[] = [];
  const ids: string[] = [];
  const parser = new EventStreamParser({
    onMessage: (message) => messages.push(message),
    onId: (id) => ids.push(id),
  });
  for (const chunk of chunks) parser.push(Buffer.from(chunk));
  return { messages, ids };
}

test("events are read as they were written, wherever the network splits them", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat({ max: 50 })), (written, cuts) => {
      const values: unknown[] = JSON.parse(JSON.stringify(written));
      const text = values
        .map((value, n) => toEvent(JSON.stringify(value), `${n}`))
        .join(keepAliveComment);
      const bytes = Buffer.from(text);
      const chunks: Buffer[] = [];
      let start = 0;
      for (const length of cuts) {
        chunks.push(bytes.subarray(start, start + length));
        start += length;
      }

      const { messages, ids } = read(...chunks, bytes.subarray(start));

      expect(messages).toEqual(values);
      expect(ids).toEqual(values.map((_, n) => `${n}`));
    }),
  );
});

test.each([
  ["data: 1\n\n", [1], []],
  ["data:1\n\n", [1], []],
  ["data: 1\r\n\r\n", [1], []],
  ["data: [1,\ndata: 2]\n\n", [[1, 2]], []],
  ["event: message\ndata: 1\n\n", [1], []],
  ["event: ping\ndata: 1\nid: 7\n\n", [], ["7"]],
  ["id: 3\n\n", [], ["3"]],
  ["retry: 500\n: comment\n\n", [], []],
  ["data\nid\n\n", [expect.any(Malformed)], [""]],
  ["data: 1", [], []],
])("%j has the messages %j and ids %j", (text, messages, ids) => {
  expect(read(text)).toEqual({ messages, ids });
});

test("an event that is not JSON affects only itself", () => {
  const { messages } = read("data: {\n\ndata: 2\n\n");

  expect(messages[0]).toBeInstanceOf(Malformed);
  expect(messages[1]).toBe(2);
});

test.each([
  ["text/event-stream", true],
  ["application/json, text/event-stream;q=0.5", true],
  ["*/*", false],
  ["", false],
  [undefined, false],
])("an Accept of %j asks for events: %j", (accept, expected) => {
  expect(asksForEvents(accept)).toBe(expected);
});

test("a replay buffer returns the events after a number, as long as it has them all", () => {
  const buffer = new ReplayBuffer();
  for (const event of ["a", "b", "c", "d"]) buffer.add(event, 3);

  expect(buffer.last).toBe(4);
  expect([0, 1, 2, 4, 5].map((number) => buffer.after(number))).toEqual([
    undefined,
    ["b", "c", "d"],
    ["c", "d"],
    [],
    undefined,
  ]);
});

test("an event above the limit is kept alone", () => {
  const buffer = new ReplayBuffer();
  buffer.add("a", 2);
  buffer.add("large", 2);

  expect([buffer.after(0), buffer.after(1)]).toEqual([undefined, ["large"]]);
});

test("a replay buffer agrees with a list of all events, also after it was compacted", () => {
  const buffer = new ReplayBuffer();
  const all = Array.from({ length: 2000 }, (_, n) => `${n}`);
  for (const event of all) buffer.add(event, 100);

  expect(buffer.after(1990)).toEqual(all.slice(1990));
  expect(buffer.after(1900)).toBeUndefined();
});
