import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aggregateOutput,
  OutputCapture,
  shortCapture,
  usualCapture,
} from "../../src/exec/capture.js";

test("characters that arrive in pieces are put together again", () => {
  const capture = new OutputCapture(usualCapture());
  for (const byte of Buffer.from("aä😀\n")) capture.push("stdout", Buffer.from([byte]));
  capture.push("stderr", Buffer.from([0xff, 0x41]));

  expect(capture.text()).toEqual({
    stdout: "aä😀\n",
    stderr: "\ufffdA",
    aggregated: "aä😀\n\ufffdA",
  });
});

test("past the limit both ends are kept, cut between characters, with a marker for the gap", () => {
  const capture = new OutputCapture({ keepBytes: 10, aggregate: "arrival", past: "halves" });

  capture.push("stdout", Buffer.from("aaaa😀bbbbb😀cccc"));

  expect(capture.text().stdout).toBe("aaaa\n[... 13 bytes omitted ...]\ncccc");
});

test("no cut ever shows a broken character that was whole", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.integer({ min: 2, max: 50 }),
      (text, keepBytes) => {
        fc.pre(!text.includes("\ufffd")); // which marks a broken character below
        const capture = new OutputCapture({ keepBytes, aggregate: "arrival", past: "halves" });
        capture.push("stdout", Buffer.from(text));
        return !capture.text().stdout.includes("\ufffd");
      },
    ),
  );
});

test("one stream after the other has its start and its end too, with a marker for the gap", () => {
  const capture = new OutputCapture({ keepBytes: 10, aggregate: "streams", past: "halves" });

  capture.push("stderr", Buffer.from("eee"));
  capture.push("stdout", Buffer.from("first middle last"));

  expect(capture.text()).toEqual({
    stdout: "first\n[... 7 bytes omitted ...]\n last",
    stderr: "eee",
    aggregated: "first\n[... 10 bytes omitted ...]\nsteee",
  });
});

test("in the shorter way only beginnings are kept, standard output first", () => {
  const capture = new OutputCapture({ ...shortCapture, keepBytes: 6 });

  capture.push("stderr", Buffer.from("eeeee"));
  capture.push("stdout", Buffer.from("ooooooo"));

  expect(capture.text()).toEqual({ stdout: "oooooo", stderr: "eeeee", aggregated: "ooeeee" });
});

test("space that one stream does not need goes to the other", () => {
  const joined = (out: number, err: number) =>
    aggregateOutput(Buffer.alloc(out, "o"), Buffer.alloc(err, "e"), 9).toString();

  expect([joined(4, 3), joined(9, 9), joined(1, 9), joined(9, 1)]).toEqual([
    "ooooeee",
    "oooeeeeee",
    "oeeeeeeee",
    "ooooooooe",
  ]);
});
