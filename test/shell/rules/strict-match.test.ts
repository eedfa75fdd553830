import { expect, test } from "vitest";
import { splitWords } from "../../../src/shell/index.js";
import { matchStrictly } from "../../../src/shell/rules/strict-match.js";

const words = (line: string) => splitWords(line) ?? [];
const rule = (line: string) => ({
  pattern: words(line).map((word) => word.split("|")),
  decision: "forbidden" as const,
});

test.each([
  ["git push", "git push origin main"],
  ["git push", "/usr/bin/git push"],
  ["git push", "git -C sub push"],
  ["git push", "git -c a.b=c --no-pager push"],
  ["git push|fetch", "git fetch"],
  ["git push --force", "git push origin main --force"],
  ["rm -rf", "rm -rf x"],
  ["rm -rf", "rm -fr x"],
  ["rm -rf", "rm -r -f x"],
  ["rm -rf", "rm x -r --force"],
  ["rm -rf", "rm --recursive --force x"],
  ["npm publish", "npm --silent publish"],
  ["npm publish", "npm --prefix sub publish"],
  ["npm run deploy", "npm run --silent deploy"],
  ["cmd", "cmd.exe"],
])("a rule on %j matches %j", (pattern, command) => {
  const matched = matchStrictly(rule(pattern), words(command));

  expect(matched).toHaveLength(words(pattern).length);
});

test.each([
  ["git push", "git status"],
  ["git push", "git"],
  ["git push", "git commit -m push"],
  ["git push --force", "git push"],
  ["git push --force", "git push -- --force"],
  ["rm -rf", "rm -r x"],
  ["rm -rf", "rm -- -rf"],
  ["npm publish", "npm run publish"],
  ["npm publish", "echo npm publish"],
  ["a b c", "a b"],
])("a rule on %j does not match %j", (pattern, command) => {
  expect(matchStrictly(rule(pattern), words(command))).toBeUndefined();
});

test("a rule matches the program that a path resolves to", () => {
  const resolves = (program: string) => (program === "/tmp/tool" ? "curl" : undefined);

  expect(matchStrictly(rule("curl"), ["/tmp/tool", "x"], resolves)).toEqual(["curl"]);
  expect(matchStrictly(rule("curl"), ["/tmp/other", "x"], resolves)).toBeUndefined();
});

test("the matched words are those of the rule", () => {
  expect(matchStrictly(rule("git push|fetch -f"), words("/bin/git -C x fetch -vf"))).toEqual([
    "git",
    "fetch",
    "-f",
  ]);
});
