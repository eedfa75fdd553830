import { expect, test } from "vitest";
import { colorDepth } from "../../../src/tui/theme/colors.js";
import { TerminalColors } from "../../../src/tui/theme/terminal-colors.js";
import { chooseTheme, createTheme, readBackground, themeOn } from "../../../src/tui/theme/theme.js";

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
  const behind = readBackground(reply);
  expect(behind && themeOn(behind)).toBe(theme);
});

test("the mono theme has no colors, and no style marks empty text", () => {
  const { syntax, id: _, backgrounds, ...styles } = createTheme("mono");
  for (const style of [...Object.values(styles), ...Object.values(syntax)]) {
    expect(style("x")).not.toMatch(/\x1b\[(?:3|4|9|10)\d/);
    expect(style("")).toBe("");
  }
  expect(Object.values(backgrounds)).toEqual(["", "", ""]);
});

test.each([
  [{ COLORTERM: "truecolor" }, "true"],
  [{ TERM: "xterm-kitty" }, "true"],
  [{ TERM: "xterm", TERM_PROGRAM: "WezTerm" }, "true"],
  [{ TERM: "tmux-256color" }, "256"],
  [{ TERM: "xterm" }, "16"],
  [{ TERM: "linux" }, "16"],
  [{}, "16"],
] as const)("the terminal with %j shows %s colors", (env, depth) => {
  expect(colorDepth(env)).toBe(depth);
});

test("16 colors are those of the terminal's palette, without backgrounds", () => {
  for (const name of ["dark", "light", "ansi"] as const) {
    const { syntax, id: _, backgrounds, ...styles } = createTheme({ name, depth: "16" });
    for (const style of [...Object.values(styles), ...Object.values(syntax)]) {
      expect(style("x")).not.toMatch(/\x1b\[[34]8;/);
    }
    expect(Object.values(backgrounds)).toEqual(["", "", ""]);
  }
});

test("a color continues after a part of the text that has another one", () => {
  const { dim, accent } = createTheme({ name: "dark", depth: "16" });
  expect(accent(`a${accent("b")}c`)).toBe("\x1b[36ma\x1b[36mb\x1b[36mc\x1b[39m");
  expect(dim("x")).toBe("\x1b[2mx\x1b[22m");
});

test("auto follows the background that the terminal reports, and its shade is near to it", () => {
  const written: string[] = [];
  const colors = new TerminalColors({ COLORTERM: "truecolor" }, (text) => written.push(text));
  const seen: string[] = [];
  colors.onChange = (theme) => seen.push(createTheme(theme).backgrounds.shade);
  expect(colors.theme.name).toBe("dark");
  expect(colors.follow("\x1b]11;rgb:ffff/ffff/ffff\x07")).toBe(true);
  expect(colors.theme.name).toBe("light");
  expect(seen).toEqual(["\x1b[48;2;240;240;240m"]);
  colors.follow("\x1b]11;rgb:0000/0000/0000\x07");
  expect(seen.at(-1)).toBe("\x1b[48;2;26;26;26m");
  colors.choose("light");
  expect(colors.theme.name).toBe("light");
  expect(colors.follow("x")).toBe(false);
  colors.choose("auto");
  expect(colors.theme.name).toBe("dark");
  expect(written).toEqual(["\x1b]11;?\x07"]);
});
