import { expect, test } from "vitest";
import { chooseTheme, createTheme, readBackground } from "../../../src/tui/theme/theme.js";

test.each([
  ["auto", {}, "dark"],
  ["auto", { COLORFGBG: "0;15" }, "light"],
  ["auto", { COLORFGBG: "0;7" }, "light"],
  ["auto", { COLORFGBG: "15;8" }, "dark"],
  ["auto", { COLORFGBG: "15;default;0" }, "dark"],
  ["auto", { COLORFGBG: "nonsense" }, "dark"],
  ["light", {}, "light"],
  ["dark", { COLORFGBG: "0;15" }, "dark"],
  ["light", { NO_COLOR: "1" }, "mono"],
  ["light", { NO_COLOR: "" }, "light"],
  ["light", { TERM: "dumb" }, "mono"],
] as const)("the choice %s in %j is %s", (choice, env, theme) => {
  expect(chooseTheme(choice, env)).toBe(theme);
});

test.each([
  ["\x1b]11;rgb:0000/0000/0000\x07", "dark"],
  ["\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "light"],
  ["\x1b]11;rgba:ff/ff/f0/ff\x07", "light"],
  ["\x1b]11;rgb:1e/1e/2e\x07", "dark"],
  ["\x1b]10;rgb:ffff/ffff/ffff\x07", undefined],
  ["a", undefined],
])("the reply %j has a background that is %s", (reply, theme) => {
  expect(readBackground(reply)).toBe(theme);
});

test("the mono theme has no colors, and no style marks empty text", () => {
  const { syntax, id: _, ...styles } = createTheme("mono");
  for (const style of [...Object.values(styles), ...Object.values(syntax)]) {
    expect(style("x")).not.toMatch(/\x1b\[(?:3|4|9|10)\d/);
    expect(style("")).toBe("");
  }
});

test("the light theme avoids the palette, whose yellow and cyan are unreadable on white", () => {
  const { accent, warning } = createTheme("light");
  expect(accent("x")).toBe("\x1b[38;5;30mx\x1b[39m");
  expect(warning("x")).toBe("\x1b[38;5;130mx\x1b[39m");
});
