import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventReader } from "../../src/model/sse.js";
import type { StreamItem } from "../../src/model/types.js";
import { behaviorOf } from "../support/model.js";

const behavior = behaviorOf("0.104");

function readAll(pieces: Iterable<string>, limit?: number): StreamItem[] {
  const reader = new EventReader(behavior, limit);
  const items: StreamItem[] = [];
  for (const piece of pieces) items.push(...reader.feed(piece));
  return items;
}

const delta = (text: string) =>
  `data: ${JSON.stringify({ type: "response.output_text.delta", delta: text })}\n\n`;
const completed = 'data: {"type":"response.completed","response":{"id":"r"}}\n\n';
const textDelta = (text: string): StreamItem => ({
  type: "text_delta",
  delta: text,
  itemId: undefined,
});
const done: StreamItem = { type: "completed", responseId: "r", usage: undefined };

describe("a stream", () => {
  test("reads the same wherever the network cuts its bytes", () => {
    const deltas = fc.array(fc.string({ unit: "binary" }), { maxLength: 8 });
    const breaks = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(
        deltas,
        breaks,
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (texts, end, sizes) => {
          const stream = [...texts.map(delta), completed].join("").replaceAll("\n", end);
          const decoder = new TextDecoder();
          const bytes = Buffer.from(stream);
          const pieces: string[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value ?? 1;
            pieces.push(decoder.decode(bytes.subarray(at, at + size), { stream: true }));
            at += size;
          }

          // A carriage return at the very end may still be followed by a newline.
          expect(readAll([...pieces, "\n"])).toEqual([...texts.map(textDelta), done]);
        },
      ),
    );
  });

  test("arrives in one batch for each piece", () => {
    const reader = new EventReader(behavior);
    const text = delta("a") + delta("b");

    expect(reader.feed(text.slice(0, -1))).toEqual([textDelta("a")]);
    expect(reader.feed("\n")).toEqual([textDelta("b")]);
    expect(reader.feed("")).toEqual([]);
  });

  test("may begin with a byte-order mark, have comments, and data in several lines", () => {
    const event = 'data: {"type":"response.output_text.delta",\ndata: "delta":"x"}\n\n';

    expect(readAll([`\ufeff: hello\n\nid: 7\nretry: 10\nevent: x\n${event}`])).toEqual([
      textDelta("x"),
    ]);
  });

  test("is over when the response is complete; a late item is not read", () => {
    const reader = new EventReader(behavior);

    expect(reader.feed(completed + completed + delta("late"))).toEqual([done]);
    expect(reader.ended).toBe(true);
    expect(reader.feed(delta("later"))).toEqual([]);
  });

  test("counts events, not comments, as signs of life", () => {
    const reader = new EventReader(behavior);

    reader.feed(": ping\n\n");
    expect(reader.events).toBe(0);
    reader.feed("data: nonsense\n\n");
    expect(reader.events).toBe(1);
  });

  test("with an event that never ends is given up", () => {
    const pieces = Array.from({ length: 20 }, () => "x".repeat(100));

    expect(readAll(["data: ", ...pieces], 1000)).toEqual([
      {
        type: "failed",
        failure: {
          kind: "stream_closed",
          message:
            "stream disconnected before completion: an event of the stream is larger than 1000 characters",
          retryable: true,
        },
      },
    ]);
  });

  test("with an event of endless short lines is given up too", () => {
    const items = readAll(
      Array.from({ length: 200 }, () => "data: 0123456789\n"),
      1000,
    );

    expect(items).toMatchObject([{ type: "failed", failure: { kind: "stream_closed" } }]);
  });
});

describe("[compat SSE] the end of a response", () => {
  const failed = (message: string) =>
    `data: ${JSON.stringify({ type: "response.failed", response: { error: { message } } })}\n\n`;

  test("items behind a failure still count, and the stream's end reports the last failure", () => {
    const reader = new EventReader(behavior);

    expect(reader.feed(failed("one") + delta("late") + failed("two"))).toEqual([textDelta("late")]);
    expect(reader).toMatchObject({ settled: true, ended: false });
    expect(reader.finish()).toMatchObject([
      { type: "failed", failure: { message: expect.stringMatching(/two$/) } },
    ]);
    expect(reader.finish()).toEqual([]);
  });

  test("a completion behind a failure makes up for it", () => {
    const reader = new EventReader(behavior);

    expect(reader.feed(failed("one") + completed)).toEqual([done]);
    expect(reader.ended).toBe(true);
  });

  test("in 2025 a completion waits for the end of the stream", () => {
    const reader = new EventReader(behaviorOf("0.42"));

    expect(reader.feed(completed + delta("late") + failed("one"))).toEqual([textDelta("late")]);
    expect(reader.finish()).toMatchObject([{ type: "completed" }]);
  });
});
