import { expect, test } from "vitest";
import { checkFact, type Facts } from "../../conformance/scenario/facts.js";
import { checkInputShape, type EntryShape } from "../../conformance/scenario/input-shape.js";
import { CannotRun } from "../../conformance/suite.js";

const facts: Facts = {
  count: 3,
  text: "a longer text",
  names: ["shell", "update_plan"],
  input_texts: ["first question", "second question"],
};

test.each<[string, unknown]>([
  ["count", 3],
  ["count_at_least", 2],
  ["count_max", 3],
  ["text_starts_with", "a long"],
  ["text_ends_with", "text"],
  ["text_contains", ["long", "text"]],
  ["text_not_contains", "short"],
  ["names", ["shell", "update_plan"]],
  ["names_contains", "shell"],
  ["names_len", 2],
  ["input_texts_tail", ["second question"]],
  ["no_input_text_equals", ["first", "second"]],
  ["no_input_text_contains", "third"],
  ["a_input_text_contains_all", ["second", "question"]],
  ["all_input_text_ends_with", "question"],
])("%s %j holds", (name, expected) => {
  expect(checkFact(facts, name, expected)).toBeUndefined();
});

test.each<[string, unknown]>([
  ["count", 4],
  ["count_at_least", 4],
  ["count_at_most", 2],
  ["text", "a longer"],
  ["text_ends_with", "longer"],
  ["text_contains", ["long", "short"]],
  ["text_not_contains", ["short", "text"]],
  ["names", ["update_plan", "shell"]],
  ["names_contains", "apply_patch"],
  ["names_not_contains", "shell"],
  ["no_input_text_equals", ["x", "first question"]],
  ["no_input_text_contains", "question"],
  ["a_input_text_contains_all", ["first", "second"]],
  ["all_input_text_starts_with", "first"],
])("%s %j does not hold", (name, expected) => {
  expect(checkFact(facts, name, expected)).toContain(`${name}: expected`);
});

test.each(["frobnicate", "text_frobnicates", "no_such", "names_"])("%s is unknown", (name) => {
  expect(() => checkFact(facts, name, 1)).toThrow(new CannotRun(`unknown expectation ${name}`));
});

const input = [
  message("<environment_context>\n  <cwd>/x</cwd>\n</environment_context>"),
  message("they said hello, and this is the summary"),
  message("go on"),
];

test.each<[EntryShape[], string | undefined]>([
  [["user_instructions?", "environment_context", "bridge(hello,summary)", "go on"], undefined],
  [["environment_context", { role: "user", contains: "hello" }, { ends_with: "on" }], undefined],
  [["environment_context", "bridge(hello,summary)"], "input_shape: 1 entries more"],
  [["environment_context", "bridge(hello,world)", "go on"], "input_shape[1]: expected bridge"],
  [["user_instructions", "environment_context"], "input_shape[0]: expected user_instructions"],
  [["environment_context", { role: "assistant" }, "go on"], "input_shape[1]: role: expected"],
])("an input held against %j says %j", (shape, difference) => {
  const actual = checkInputShape(input, shape);

  if (difference === undefined) expect(actual).toBeUndefined();
  else expect(actual).toContain(difference);
});

test("an input with an unknown check is not run", () => {
  expect(() => checkInputShape(input, ["environment_context", { frobnicates: 1 }])).toThrow(
    new CannotRun("unknown expectation frobnicates"),
  );
});

function message(text: string) {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
