import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { type FormAnswer, Questionnaire } from "../../src/tui/overlays/questionnaire.js";
import { createTheme } from "../../src/tui/theme/theme.js";

const options = [
  { label: "Red", description: "Warm" },
  { label: "Blue", description: "Cold" },
];
const color = {
  header: "Color",
  question: "Which color?",
  options,
  hasOther: true,
  isSecret: false,
};
const name = {
  header: "Name",
  question: "Which name?",
  options: [],
  hasOther: true,
  isSecret: false,
};
const keys: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\x1b",
  left: "\x1b[D",
  down: "\x1b[B",
  tab: "\t",
};

function open(questions = [color, name]) {
  let answers: readonly FormAnswer[] | undefined;
  const done = (given: readonly FormAnswer[] | undefined) => {
    answers = given;
  };
  const dialog = new Questionnaire(questions, { theme: createTheme("mono"), done });
  return {
    press(...names: string[]) {
      for (const each of names) {
        for (const key of keys[each] === undefined ? each : [keys[each]]) dialog.handleInput(key);
      }
    },
    text: (width = 60, height = 20) =>
      stripVTControlCharacters(dialog.render(width, height).join("\n")),
    answers: () => answers,
  };
}

test("the number of the question is shown, and the answers come together", () => {
  const { press, text, answers } = open();
  expect(text()).toContain("Color (1/2)");

  press("down", "enter");
  expect(text()).toContain("Name (2/2)");
  press("Ada", "enter");

  expect(answers()).toEqual([
    { chosen: "Blue", note: "" },
    { chosen: "Ada", note: "" },
  ]);
});

test("the user can go back and answer again", () => {
  const { press, text, answers } = open([color, color]);

  press("1", "left");
  expect(text()).toMatch(/1\. Red ✔/);
  press("2", "1");

  expect(answers()?.map(({ chosen }) => chosen)).toEqual(["Blue", "Red"]);
});

test("a note belongs to the selected answer", () => {
  const { press, answers } = open([color]);

  press("down", "tab", "but dark", "enter");

  expect(answers()).toEqual([{ chosen: "Blue", note: "but dark" }]);
});

test("an answer besides the options is typed, and esc returns to the options", () => {
  const { press, text, answers } = open([color]);

  press("3", "gr");
  expect(text()).toContain("answer: gr");
  press("escape", "down", "down", "3", "een", "enter");

  expect(answers()).toEqual([{ chosen: "green", note: "" }]);
});

test("esc skips what is not answered", () => {
  const { press, answers } = open([color, color]);

  press("1", "escape");

  expect(answers()?.map(({ chosen }) => chosen)).toEqual(["Red", undefined]);
});

test("a small screen shows the question and every option", () => {
  const long = { ...color, question: "Which color should the door of the shed have? ".repeat(3) };
  const lines = open([long]).text(30, 10).split("\n");

  expect(lines.filter((line) => /\d\. /.test(line))).toHaveLength(3);
});
