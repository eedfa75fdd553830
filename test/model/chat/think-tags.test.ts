import fc from "fast-check";
import { expect, test } from "vitest";
import { ThinkTags } from "../../../src/model/chat/think-tags.js";

/** Returns thoughts and text of an answer that arrives in pieces. */
function read(...pieces: string[]): { thought: string; text: string } {
  const tags = new ThinkTags();
  const all = pieces.flatMap((piece) => tags.split(piece));
  const join = (isThought: boolean) =>
    all
      .filter((piece) => piece.isThought === isThought)
      .map(({ text }) => text)
      .join("");
  return { thought: join(true), text: join(false) + tags.rest() };
}

test.each([
  ["<think>Hm.</think>Yes.", "Hm.", "Yes."],
  ["\n <think>\nHm.\n</think>\n\nYes.", "\nHm.\n", "Yes."],
  ["Yes.", "", "Yes."],
  ["Use <think> tags: <think>a</think>", "", "Use <think> tags: <think>a</think>"],
  ["<thinking>", "", "<thinking>"],
  ["<thin", "", "<thin"],
  ["", "", ""],
  ["<think>never ends", "never ends", ""],
  ["<think>a</b></think>c", "a</b>", "c"],
])("%j has the thought %j and the text %j, wherever it is cut", (answer, thought, text) => {
  expect(read(answer)).toEqual({ thought, text });
  fc.assert(
    fc.property(fc.array(fc.nat(answer.length)), (places) => {
      const cuts = [0, ...places.sort((a, b) => a - b), answer.length];
      const pieces = cuts.slice(1).map((end, index) => answer.slice(cuts[index], end));
      expect(read(...pieces)).toEqual({ thought, text });
    }),
  );
});

test("blank text without end is not held back", () => {
  const tags = new ThinkTags();
  const blanks = Array.from({ length: 300_000 }, () => tags.split(" ")).flat();

  expect(blanks.map(({ text }) => text).join("").length + tags.rest().length).toBe(300_000);
});
