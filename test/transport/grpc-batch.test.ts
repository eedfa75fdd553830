import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBatch, encodeBatch } from "../../src/transport/grpc-batch.js";

test("any batch is decoded as it was encoded", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (messages) => {
      expect(decodeBatch(encodeBatch(messages))).toEqual(messages);
    }),
  );
});

test.each([0, 1, 127, 128, 16_383, 16_384, 2_097_152])(
  "a message of %i bytes has a length of the right size",
  (length) => {
    const message = "x".repeat(length);
    const encoded = encodeBatch([message]);
    const lengthBytes = Math.max(1, Math.ceil(Math.log2(length + 1) / 7));

    expect(encoded.length).toBe(1 + lengthBytes + length);
    expect(decodeBatch(encoded)).toEqual([message]);
  },
);

test.each([
  ["a varint", [0x10, 0x96, 0x01]],
  ["eight bytes", [0x11, 1, 2, 3, 4, 5, 6, 7, 8]],
  ["a text", [0x12, 2, 0x61, 0x62]],
  ["four bytes", [0x15, 1, 2, 3, 4]],
])("an unknown field of %s is skipped", (_, field) => {
  const bytes = Buffer.concat([Buffer.from(field), encodeBatch(["a"]), Buffer.from(field)]);

  expect(decodeBatch(bytes)).toEqual(["a"]);
});

test.each([
  ["a length without an end", [0x0a, 0xff], "unterminated varint"],
  ["a length that never ends", [0x0a, ...Array(11).fill(0xff)], "unterminated varint"],
  ["a text that is cut", [0x0a, 5, 0x61], "middle of a field"],
  ["a length beyond the batch", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f], "middle of a field"],
  ["a group", [0x0b], "unknown kind 3"],
  ["a reserved kind", [0x0f], "unknown kind 7"],
])("a batch with %s is refused", (_, bytes, problem) => {
  expect(() => decodeBatch(Buffer.from(bytes))).toThrow(problem);
});

test("any bytes are decoded or refused, and decoding never hangs", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      try {
        expect(Array.isArray(decodeBatch(Buffer.from(bytes)))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});
