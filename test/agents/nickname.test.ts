import { expect, test } from "vitest";
import { nicknameFor } from "../../src/agents/nickname.js";

const abc = ["A", "B", "C"];

test.each([
  [0, [], "A"],
  [0.34, [], "B"],
  [0.99, [], "C"],
  [0, ["A"], "B"],
  [0.99, ["C"], "A"],
  [0.5, ["B", "C"], "A"],
  [0, ["A", "B", "C"], "A 2"],
  [0.5, ["A", "B", "C"], "B 2"],
  [0.5, ["A", "B", "C", "B 2"], "C 2"],
  [0.5, ["A", "B", "C", "B 2", "C 2"], "A 2"],
  [0, ["A", "B", "C", "A 2", "B 2", "C 2"], "A 3"],
  [0, ["A", "B", "C", "A 3"], "A 2"],
  [0, ["a", "Somebody"], "A"],
])("with the random number %d and %j taken the nickname is %s", (random, taken, expected) => {
  expect(nicknameFor(new Set(taken), () => random, abc)).toBe(expected);
});

test("a single candidate is numbered from its second use", () => {
  const taken = new Set<string>();
  for (let count = 0; count < 4; count++) taken.add(nicknameFor(taken, () => 0.7, ["Scout"]));

  expect([...taken]).toEqual(["Scout", "Scout 2", "Scout 3", "Scout 4"]);
});

test("without candidates the usual names are used, each once before any has a number", () => {
  const taken = new Set<string>();
  while (![...taken].some((name) => / \d+$/.test(name))) {
    taken.add(nicknameFor(taken, () => 0.42));
  }
  const names = [...taken];

  expect(names.length).toBeGreaterThan(20);
  expect(names.slice(0, -1).every((name) => /^[A-Z][a-z]+$/.test(name))).toBe(true);
  expect(names.at(-1)).toBe(`${names[0]} 2`);
});

test("an empty list of candidates is the same as none", () => {
  expect(nicknameFor(new Set(), () => 0, [])).toBe(nicknameFor(new Set(), () => 0));
});
