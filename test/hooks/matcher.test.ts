import { expect, test } from "vitest";
import { compileMatcher } from "../../src/hooks/index.js";

const patch = ["apply_patch", "Edit", "Write"];

test.each<[string | undefined, readonly string[], boolean]>([
  [undefined, ["Bash"], true],
  ["", ["Bash"], true],
  ["*", ["Bash"], true],
  [undefined, [], true],
  ["Bash", ["Bash"], true],
  ["Bas", ["Bash"], false],
  ["bash", ["Bash"], false],
  ["Bash|X", ["Bash"], true],
  ["exec_command", ["Bash"], false],
  ["^B", ["Bash"], true],
  ["^Bash$", ["Bash"], true],
  ["B.sh", ["Bash"], true],
  ["Ba*", ["Bash"], true],
  [".*sh", ["Bash"], true],
  ["Bash(echo*)", ["Bash"], false],
  ["Read,Bash", ["Bash"], false],
  ["(?i)bash", ["Bash"], true],
  ["Edit|Write", patch, true],
  ["apply_patch", patch, true],
  ["mcp__tiny__.*", ["mcp__tiny__echo"], true],
  ["mcp__tiny__echo", ["mcp__tiny__echo"], true],
  ["mcp__my\\-server__.*", ["mcp__my-server__echo"], true],
  ["[\\-_]", ["a-b"], true],
  ["mcp__my-server", ["mcp__my-server__echo"], true],
  ["Bash", [], false],
])("the matcher %j matches %j: %s", (matcher, names, expected) => {
  expect(compileMatcher(matcher)(names)).toBe(expected);
});

test.each(["[", "(", "a{2,1}", "\\p{Nope}", "*a", "(?x)a"])("%j is no matcher", (matcher) => {
  expect(() => compileMatcher(matcher)).toThrow(SyntaxError);
});
