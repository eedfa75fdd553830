import fc from "fast-check";
import { expect, test } from "vitest";
import { HeadTailBuffer } from "../../src/lib/head-tail-buffer.js";

test("bytes fill the head, then the tail, whose oldest give way", () => {
  const buffer = HeadTailBuffer.halves(10);
  const states: [string, number][] = [];
  for (const chunk of ["01", "234", "567", "89", "a", "ABCDEFGHIJK"]) {
    buffer.push(Buffer.from(chunk));
    states.push([buffer.bytes().toString(), buffer.omitted]);
  }

  expect(states).toEqual([
    ["01", 0],
    ["01234", 0],
    ["01234567", 0],
    ["0123456789", 0],
    ["012346789a", 1],
    ["01234GHIJK", 12],
  ]);
});

test("a buffer of no size forgets everything, one without a tail all but the beginning", () => {
  const [nothing, headOnly, one] = [
    HeadTailBuffer.halves(0),
    new HeadTailBuffer(3, 0),
    HeadTailBuffer.halves(1),
  ];

  for (const buffer of [nothing, headOnly, one]) buffer.push(Buffer.from("abcdef"));

  expect(
    [nothing, headOnly, one].map((buffer) => [buffer.bytes().toString(), buffer.omitted]),
  ).toEqual([
    ["", 6],
    ["abc", 3],
    ["f", 5],
  ]);
});

test("however the bytes arrive, the same ones are kept", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 40 });

  fc.assert(
    fc.property(fc.nat(50), fc.nat(3000), chunks, (head, tail, parts) => {
      const buffer = new HeadTailBuffer(head, tail);
      for (const part of parts) buffer.push(part);

      const all = Buffer.concat(parts);
      const rest = all.subarray(head);
      expect(buffer.head()).toEqual(Buffer.from(all.subarray(0, head)));
      expect(buffer.tail()).toEqual(Buffer.from(rest.subarray(Math.max(0, rest.length - tail))));
      expect(buffer.size + buffer.omitted).toBe(all.length);
    }),
  );
});

test("a cleared buffer is as good as new", () => {
  const buffer = HeadTailBuffer.halves(4);
  buffer.push(Buffer.from("abcdefgh"));

  buffer.clear();
  buffer.push(Buffer.from("xyz"));

  expect([buffer.bytes().toString(), buffer.size, buffer.omitted]).toEqual(["xyz", 3, 0]);
});
