import { expect, test } from "vitest";
import { findMentions } from "../../../src/project/index.js";

test.each<[string, string[], string[]]>([
  ["use $release now", ["release"], []],
  ["$a $b $a", ["a", "b"], []],
  ["[$release](/s/SKILL.md)", ["release"], ["/s/SKILL.md"]],
  ["[$release]\n ( /s/SKILL.md )", ["release"], ["/s/SKILL.md"]],
  ["[$release]()", ["release"], []],
  ["[$release](  )", ["release"], []],
  ["$PATH and $home", [], []],
  ["costs 5$", [], []],
  ["$a-b_c.d", ["a-b_c"], []],
  ["[$app](app://x) [$m](mcp://y)", [], ["app://x", "mcp://y"]],
  ["[[$x](p)", ["x"], ["p"]],
])("finds the mentions in %j", (text, names, paths) => {
  const mentions = findMentions(text);

  expect([...mentions.names]).toEqual(names);
  expect([...mentions.paths]).toEqual(paths);
});

test("plain names are those without a link", () => {
  const mentions = findMentions("$a [$b](p) $c");

  expect([...mentions.plainNames]).toEqual(["a", "c"]);
  expect([...mentions.names]).toEqual(["a", "b", "c"]);
});

test("a long text of openings is read in reasonable time", () => {
  const text = "[$a](".repeat(20_000);
  const start = performance.now();

  expect(findMentions(text).names.size).toBe(1);
  expect(performance.now() - start).toBeLessThan(2_000);
});
