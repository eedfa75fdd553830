import { describe, expect, test } from "vitest";
import { parseRules } from "../../../src/shell/index.js";

const parse = (text: string) => parseRules([{ name: "a.rules", text }]);
const problem = (text: string) => {
  try {
    parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "no error";
};

test("a rule may be written with names, alternatives, comments and positions", () => {
  const text = `"""Rules of the house."""
# git may look
GIT = ["git"]
prefix_rule(GIT + [["status", "log"]], "prompt", justification = 'say ' + "why",)
prefix_rule(pattern=["ls"],); prefix_rule(pattern = ["a\\tb", r"c\\d", '''e
f'''], decision = None)
`;

  const { prefixRules } = parse(text);

  expect(prefixRules).toEqual([
    {
      pattern: [["git"], ["status", "log"]],
      decision: "prompt",
      justification: "say why",
      at: { file: "a.rules", line: 4, column: 1 },
    },
    { pattern: [["ls"]], decision: "allow", at: { file: "a.rules", line: 5, column: 1 } },
    {
      pattern: [["a\tb"], ["c\\d"], ["e\nf"]],
      decision: "allow",
      at: { file: "a.rules", line: 5, column: 31 },
    },
  ]);
});

test("files count in order, and a later one replaces the paths of an executable", () => {
  const rules = parseRules([
    { name: "1.rules", text: 'prefix_rule(["a"])\nhost_executable("git", ["/usr/bin/git"])' },
    { name: "2.rules", text: 'prefix_rule(["b"])\nhost_executable("git", ["/opt/git"])' },
  ]);

  expect(rules.prefixRules.map((rule) => rule.pattern)).toEqual([[["a"]], [["b"]]]);
  expect(rules.hostExecutables).toEqual(new Map([["git", ["/opt/git"]]]));
});

test("Windows line ends and an empty file are fine", () => {
  expect(parse('prefix_rule(\r\n  ["ls"]\r\n)\r\n').prefixRules).toHaveLength(1);
  expect(parse("").prefixRules).toEqual([]);
});

describe("an error has its file, line and column", () => {
  test.each([
    [
      'prefix_rule(\n  pattern = ["ls"],\n  decision = "maybe",\n)',
      "a.rules:3:14: invalid decision: maybe",
    ],
    ["prefix_rule()", "a.rules:1:1: missing argument pattern"],
    ["prefix_rule(pattern = [])", "a.rules:1:1: invalid pattern element: pattern cannot be empty"],
    [
      'prefix_rule(pattern = ["a", []])',
      "a.rules:1:29: invalid pattern element: pattern alternatives",
    ],
    [
      "prefix_rule(pattern = [1])",
      "a.rules:1:24: invalid pattern element: pattern element must be",
    ],
    ['prefix_rule(pattern = "ls")', "a.rules:1:23: pattern must be a list (got string)"],
    [
      'prefix_rule(["ls"], justification = " ")',
      "a.rules:1:37: invalid rule: justification cannot be empty",
    ],
    ['prefix_rule(["ls"], pattern = ["ls"])', "a.rules:1:31: argument pattern is given twice"],
    [
      'prefix_rule(["ls"], why = "x")',
      "a.rules:1:27: unknown argument why; prefix_rule takes pattern,",
    ],
    ['\n  prefix_rule(["ls"])', "a.rules:2:3: unexpected indentation"],
    [
      'prefix_rul(["ls"])',
      "a.rules:1:1: unknown function prefix_rul; a rules file can call prefix_rule,",
    ],
    ["prefix_rule([ls])", "a.rules:1:14: unknown name ls; give it a value first, or quote it"],
    ['for x in ["a"]:\n  prefix_rule([x])', "a.rules:1:1: for is not supported in rules files"],
    ['prefix_rule(["ls"]', "a.rules:1:19: expected a comma or ), found"],
    ['prefix_rule(["ls)', "a.rules:1:14: the string is not closed"],
    ['prefix_rule(["a\\qb"])', "a.rules:1:14: unknown escape \\q"],
    ['prefix_rule([f"{x}"])', "a.rules:1:14: strings with the prefix f are not supported"],
    ['x = "a" + ["b"]', "a.rules:1:9: cannot add list to string"],
    ["prefix_rule(['ls']) $", 'a.rules:1:21: unexpected character "$"'],
    [
      'prefix_rule(["ls"], match = ["ls \'"])',
      "a.rules:1:30: invalid example: example string has invalid",
    ],
    [
      'prefix_rule(["ls"], match = [[]])',
      "a.rules:1:30: invalid example: example cannot be an empty list",
    ],
    [
      'host_executable("git", ["git"])',
      "a.rules:1:25: invalid rule: host_executable paths must be absolute",
    ],
    ['host_executable("git", ["/usr/bin/hg"])', "a.rules:1:25: invalid rule: host_executable path"],
    [
      'host_executable("/git", [])',
      "a.rules:1:17: invalid rule: host_executable name must be a bare",
    ],
    [
      'network_rule("*.x.com", "https", "allow")',
      "a.rules:1:14: invalid rule: network_rule host must be a specific",
    ],
    [
      'network_rule("x.com", "ftp", "allow")',
      "a.rules:1:23: invalid rule: network_rule protocol must be one of",
    ],
    [
      'network_rule("https://x.com", "http", "allow")',
      "a.rules:1:14: invalid rule: network_rule host must be a hostname",
    ],
  ])("%j", (text, message) => {
    expect(problem(text)).toContain(message);
  });
});

describe("examples", () => {
  test("must match when they are to match", () => {
    expect(problem('prefix_rule(["git", "status"], match = ["git log", ["git", "status"]])')).toBe(
      "a.rules:1:1: expected every example to match at least one rule. " +
        'rules: [prefix_rule(pattern=["git", "status"], decision="allow")]; ' +
        'unmatched examples: ["git log"]',
    );
  });

  test("must not match when they are not to match", () => {
    expect(problem('\nprefix_rule(["git"], not_match = ["git log"])')).toBe(
      "a.rules:2:1: expected example to not match rule " +
        '`prefix_rule(pattern=["git"], decision="allow")`: git log',
    );
  });

  test("know the executables named later in the file", () => {
    const text = `prefix_rule(["git"], match = ["/usr/bin/git"], not_match = ["/tmp/git"])
host_executable("git", ["/usr/bin/git"])`;

    expect(problem(text)).toBe("no error");
  });
});
