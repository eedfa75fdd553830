import { describe, expect, test } from "vitest";
import {
  lineOf,
  readStatements,
  sharedLength,
  startsWith,
} from "../../../src/config/toml/statements.js";

/** Statements as kind, dotted path and text. */
function read(text: string) {
  return readStatements(text).map(({ kind, path, start, end }) => [
    kind,
    path.join("."),
    text.slice(start, end),
  ]);
}

describe("TOML is split into statements", () => {
  test.each([
    ["", []],
    ["# only a comment\n\n", []],
    ["\ufeffa = 1", [["value", "a", "a = 1"]]],
    [
      "a = 1 # why\nb = 2",
      [
        ["value", "a", "a = 1"],
        ["value", "b", "b = 2"],
      ],
    ],
    ["a.b = 1", [["value", "a.b", "a.b = 1"]]],
    [
      "[t]\na = 1",
      [
        ["table", "t", "[t]"],
        ["value", "t.a", "a = 1"],
      ],
    ],
    [
      "[t.u]\nx.y = 1",
      [
        ["table", "t.u", "[t.u]"],
        ["value", "t.u.x.y", "x.y = 1"],
      ],
    ],
    [
      "[[l]]\na = 1",
      [
        ["list", "l", "[[l]]"],
        ["value", "l.a", "a = 1"],
      ],
    ],
    ['a = "x # y"', [["value", "a", 'a = "x # y"']]],
    ["a = 'x ] y'", [["value", "a", "a = 'x ] y'"]]],
    [
      'a = """\nb = 1\n"""\nc = 2',
      [
        ["value", "a", 'a = """\nb = 1\n"""'],
        ["value", "c", "c = 2"],
      ],
    ],
    [
      "a = '''x''''\nb = 1",
      [
        ["value", "a", "a = '''x''''"],
        ["value", "b", "b = 1"],
      ],
    ],
    [
      "a = [1, # one\n 2]\nb = 1",
      [
        ["value", "a", "a = [1, # one\n 2]"],
        ["value", "b", "b = 1"],
      ],
    ],
    ["a = { b = { c = '}' } }", [["value", "a", "a = { b = { c = '}' } }"]]],
    [
      "a = 1\r\nb = 2\r\n",
      [
        ["value", "a", "a = 1"],
        ["value", "b", "b = 2"],
      ],
    ],
    ["a = 2026-01-01 10:00:00", [["value", "a", "a = 2026-01-01 10:00:00"]]],
  ])("%j", (text, statements) => {
    expect(read(text)).toEqual(statements);
  });

  test("statements in a list of tables are marked, as their path is ambiguous", () => {
    const marks = readStatements("[a]\nx = 1\n[[l]]\ny = 1\n[l.inner]\nz = 1\n[b]\nw = 1");

    expect(marks.map(({ path, inList }) => [path.join("."), inList])).toEqual([
      ["a", false],
      ["a.x", false],
      ["l", true],
      ["l.y", true],
      ["l.inner", true],
      ["l.inner.z", true],
      ["b", false],
      ["b.w", false],
    ]);
  });
});

describe("the line of a path", () => {
  const text = "model = 'm'\n\n[tui]\ntheme = 't'\n\n[mcp_servers.a]\ncommand = 'c'\n";

  test.each([
    [["model"], 1],
    [["tui"], 3],
    [["tui", "theme"], 4],
    [["mcp_servers", "a", "command"], 7],
    [["mcp_servers", "a", "missing"], 6],
    [["mcp_servers", "b"], 6],
    [["none"], undefined],
  ])("%j is %s", (path, line) => {
    expect(lineOf(text, path)).toBe(line);
  });
});

test.each([
  [["a", "b"], ["a"], 1, true],
  [["a", "b"], ["a", "b"], 2, true],
  [["a"], ["a", "b"], 1, false],
  [["x"], ["a"], 0, false],
  [["a"], [], 0, true],
])("%j and %j share %i names", (path, prefix, shared, isBelow) => {
  expect(sharedLength(path, prefix)).toBe(shared);
  expect(startsWith(path, prefix)).toBe(isBelow);
});
