import { expect, test } from "vitest";
import { Attention } from "../../../src/tui/host/attention.js";

function attention() {
  const written: string[] = [];
  return { written, attention: new Attention((text) => written.push(text)) };
}

test("notifies only while the terminal is not focused", () => {
  const { attention: user, written } = attention();
  user.call("agent-turn-complete", "one");
  expect(user.follow("\x1b[O")).toBe(true);
  user.call("agent-turn-complete", "two");
  expect(user.follow("\x1b[I")).toBe(true);
  user.call("agent-turn-complete", "three");
  expect(written).toEqual(["\x1b]9;two\x07\x07"]);
});

test("other input is not a focus report", () => {
  expect(attention().attention.follow("I")).toBe(false);
  expect(attention().attention.follow("\x1b[A")).toBe(false);
});

test("text is one sanitized line of limited length", () => {
  const { attention: user, written } = attention();
  user.follow("\x1b[O");
  user.call("approval-requested", `a\x07\x1b]0;x\x07b\n\n  c${"d".repeat(500)}`);
  expect(written).toEqual([`\x1b]9;ab c${"d".repeat(196)}\x07\x07`]);
});

test.each([
  [true, 2],
  [false, 0],
  [["approval-requested"], 1],
  [[], 0],
])("the choice %j sends %i of the two kinds", (choice, count) => {
  const { attention: user, written } = attention();
  user.choice = choice;
  user.follow("\x1b[O");
  user.call("agent-turn-complete", "x");
  user.call("approval-requested", "x");
  expect(written).toHaveLength(count);
});
