import { describe, expect, test } from "vitest";
import { checkSource, ignoredText, placeOf } from "../../../src/config/check/report.js";
import { parseToml } from "../../../src/config/toml/table.js";

/** Checks a text as the file `c.toml`. */
async function check(text: string): Promise<string[]> {
  return checkSource(await parseToml(text, "c.toml"), { name: "c.toml", text });
}

describe("a config file", () => {
  test.each([
    ["modle = 'x'", "c.toml:1: unknown key `modle`; did you mean `model`?"],
    ["\n[tui]\nthem = 'x'", "c.toml:3: unknown key `tui.them`; did you mean `tui.theme`?"],
    ["zzzzzzzzzz = 1", "c.toml:1: unknown key `zzzzzzzzzz`"],
    ["# c\nfile_opener = 'cursor'", "c.toml:2: `file_opener` has no effect here"],
    ["[features]\napps = true", "c.toml:2: `features.apps` has no effect here"],
    ["'a.b' = 1", 'c.toml:1: unknown key `"a.b"`'],
  ])("with %j reports the key with its line", async (text, line) => {
    expect(await check(text)).toEqual([line]);
  });

  test("without mistakes reports nothing", async () => {
    expect(await check('model = "m"\n[tui]\ntheme = "t"\n')).toEqual([]);
  });

  test("with values of a wrong type throws one error for all", async () => {
    const error: unknown = await check("model = 1\n\nnotify = 'x'\n").catch((thrown) => thrown);

    expect(error).toMatchObject({
      code: "config",
      message:
        "c.toml:1: `model` must be a string, not 1\n" +
        'c.toml:3: `notify` must be a list of strings, not "x"',
      data: { reason: "type", source: "c.toml", key: ["model"], line: 1, expected: "a string" },
    });
  });
});

test("values that are not of a file are reported without a line", () => {
  expect(checkSource({ modle: 1 }, { name: "-c" })).toEqual([
    "-c: unknown key `modle`; did you mean `model`?",
  ]);
  expect(() => checkSource({ model: 1 }, { name: "-c" })).toThrow(
    "-c: `model` must be a string, not 1",
  );
});

test.each([
  [["a: x"], "A setting is ignored: a: x"],
  [["a: x", "b: y"], "2 settings are ignored:\n  a: x\n  b: y"],
])("the warning about %j is one message", (lines, text) => {
  expect(ignoredText(lines)).toBe(text);
});

test.each([
  [["tui", "theme"], "f:3"],
  [["tui", "missing"], "f:2"],
  [["nowhere"], "f"],
])("the position of %j is %s", (path, place) => {
  expect(placeOf(path, { name: "f", text: "a = 1\n[tui]\ntheme = 1\n" })).toBe(place);
});
