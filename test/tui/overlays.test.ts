import { expect, test } from "vitest";
import { Approval, type ApprovalAnswer } from "../../src/tui/overlays/approval.js";
import { Pages } from "../../src/tui/overlays/pages.js";
import { Picker } from "../../src/tui/overlays/picker.js";
import { Question } from "../../src/tui/overlays/question.js";
import { plainView, unstyled } from "./view.js";

const down = "\x1b[B";
const { theme } = plainView(40);

test("a list shows the selection, and is filtered by typing", () => {
  let chosen: string | undefined = "none";
  const picker = new Picker<string>(
    {
      title: "Which?",
      choices: [
        { value: "a", label: "apple", description: "red" },
        { value: "b", label: "banana", description: "yellow" },
      ],
      isSearched: true,
    },
    {
      theme,
      done: (value) => {
        chosen = value;
      },
      changed() {},
    },
  );
  picker.handleInput(down);
  expect(unstyled(picker.render(40, 20))).toEqual([
    "",
    "  Which?",
    "  >",
    "",
    "  apple   red",
    "› banana  yellow",
    "",
    "  type to search · ↑↓ move · enter sele…",
  ]);
  for (const letter of "appl") picker.handleInput(letter);
  picker.handleInput("\r");
  expect(chosen).toBe("a");
});

test("[terminal R7] a long description is wrapped, not cut", () => {
  const choices = [
    { value: 1, label: "Yes", description: "edit files and run commands in the sandbox" },
    { value: 2, label: "No", description: "ask first" },
  ];
  const picker = new Picker({ title: "Trust?", choices }, { theme, done() {}, changed() {} });
  expect(unstyled(picker.render(40, 20)).slice(3, -2)).toEqual([
    "› 1. Yes  edit files and run commands in",
    "          the sandbox",
    "  2. No   ask first",
  ]);
  expect(unstyled(picker.render(40, 3)).slice(3, -2)).toContain("  2. No   ask first");
});

test("a number selects in a list without search, and escape cancels", () => {
  const answers: (number | undefined)[] = [];
  const choices = [1, 2, 3].map((value) => ({ value, label: `choice ${value}` }));
  const picker = new Picker(
    { title: "?", choices },
    { theme, done: (value: unknown) => answers.push(value as never), changed() {} },
  );
  picker.handleInput("3");
  picker.handleInput("\x1b");
  expect(answers).toEqual([3, undefined]);
});

test("a secret is masked", () => {
  const answers: (string | undefined)[] = [];
  const question = new Question({ title: "Key", isSecret: true }, theme, (text) =>
    answers.push(text),
  );
  for (const letter of "sk-1") question.handleInput(letter);
  expect(unstyled(question.render(40))).toEqual([
    "",
    "  Key",
    "",
    "  > ••••",
    "",
    "  enter submit · esc cancel",
  ]);
  question.handleInput("\r");
  expect(answers).toEqual(["sk-1"]);
});

function approval(lines: number, more: { wasTyping?: boolean; now?: () => number } = {}) {
  const answers: ApprovalAnswer[] = [];
  let views = 0;
  const overlay = new Approval(
    {
      title: "Allow this command to run?",
      reason: "to build",
      body: () => Array.from({ length: lines }, (_, index) => `    line ${index + 1}`),
      answers: [{ answer: "once" }, { answer: "decline" }, { answer: "cancel" }],
    },
    {
      view: (width) => plainView(width),
      done: (answer) => answers.push(answer),
      showAll: () => {
        views += 1;
      },
      now: more.now ?? (() => 0),
      wasTyping: more.wasTyping ?? false,
    },
  );
  return { overlay, answers, views: () => views };
}

test("an approval shows its whole body, or the number of hidden lines", () => {
  expect(unstyled(approval(2).overlay.render(50, 30))).toEqual([
    "",
    "  Allow this command to run?",
    "  to build",
    "",
    "    line 1",
    "    line 2",
    "",
    "› Yes, approve once (y)",
    "  No, deny and continue without it (n)",
    "  No, deny and stop the turn (esc)",
  ]);
  expect(unstyled(approval(100).overlay.render(50, 20))).toContain(
    "    … 89 more lines (v to view all)",
  );
});

test.each([
  [80, 21],
  [60, 17],
  [60, 11],
  [40, 9],
])(
  "[terminal B2] at %i columns and %i rows an approval shows the question and every choice",
  (width, rows) => {
    const long = "words of the model ".repeat(40);
    const prefix = `Yes, and don't ask again for commands that start with \`${"curl x ".repeat(30)}\``;
    const overlay = new Approval(
      {
        title: "Allow this command to run?",
        reason: long,
        body: () => Array.from({ length: 60 }, (_, index) => `    line ${index + 1}`),
        note: () => ["    in ~/project"],
        answers: [
          { answer: "once" },
          { answer: "session" },
          { answer: "prefix", label: prefix },
          { answer: "decline" },
          { answer: "instruct" },
          { answer: "cancel" },
        ],
      },
      {
        view: (columns) => plainView(columns),
        done: () => {},
        showAll: () => {},
        now: () => 0,
        wasTyping: false,
      },
    );
    const lines = unstyled(overlay.render(width, rows));
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines.every((line) => line.length <= width)).toBe(true);
    const text = lines.join("\n");
    expect(text).toContain("Allow this command to run?");
    for (const key of ["(y)", "(a)", "(p)", "(n)", "(d)", "(esc)"]) expect(text).toContain(key);
    if (rows >= 11) expect(text).toContain("(v to view all)");
  },
);

test("an approval is answered by its own keys only", () => {
  const { overlay, answers, views } = approval(1);
  for (const key of ["x", "a", "v", "n", "y", "\x1b", down, "\r"]) overlay.handleInput(key);
  expect(answers).toEqual(["decline", "once", "cancel", "decline"]);
  expect(views()).toBe(1);
});

test("keys typed when the dialog opened do not answer it", () => {
  let now = 0;
  const { overlay, answers } = approval(1, { wasTyping: true, now: () => now });
  for (const key of "yes\r") {
    now += 200;
    overlay.handleInput(key);
  }
  expect(answers).toEqual([]);
  now += 1000;
  overlay.handleInput("y");
  expect(answers).toEqual(["once"]);
});

test("pages scroll within their lines", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  let isClosed = false;
  const pages = new Pages(
    "Title",
    () => lines,
    {
      terminal: { rows: 6 },
      view: (width) => plainView(width),
      close: () => {
        isClosed = true;
      },
    },
    "end",
  );
  const shown = () => unstyled(pages.render(40)).slice(1, -1);

  expect(shown()).toEqual(["line 27", "line 28", "line 29", "line 30"]);
  pages.handleInput("g");
  pages.handleInput("k");
  pages.handleInput(" ");
  expect(shown()).toEqual(["line 4", "line 5", "line 6", "line 7"]);
  pages.handleInput("q");
  expect(isClosed).toBe(true);
});
