import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addPrefixRule,
  type Decision,
  evaluateRules,
  formatAllowPrefixes,
  noRules,
} from "../../../src/shell/index.js";
import { renderRule } from "../../../src/shell/rules/parse-rules.js";
import { mergeRules, strictest } from "../../../src/shell/rules/rule.js";

const word = fc.string({ minLength: 1, maxLength: 4 });
const decision = fc.constantFrom<Decision>("allow", "prompt", "forbidden");

test("a command that starts with the prefix of a rule gets its decision", () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.array(word, { maxLength: 3 }),
      decision,
      (prefix, rest, wanted) => {
        const rules = addPrefixRule(noRules, prefix, wanted);
        const result = evaluateRules(rules, [[...prefix, ...rest]], { fallback: () => "allow" });

        expect(result.decision).toBe(wanted);
      },
    ),
  );
});

test("more rules never loosen a decision of a rule that matched", () => {
  const order: Decision[] = ["allow", "prompt", "forbidden"];
  fc.assert(
    fc.property(fc.array(decision, { minLength: 1 }), decision, (some, more) => {
      const all = some.reduce((rules, one) => addPrefixRule(rules, ["a"], one), noRules);
      const options = { fallback: () => "forbidden" as const };
      const before = evaluateRules(all, [["a"]], options).decision;
      const after = evaluateRules(addPrefixRule(all, ["a"], more), [["a"]], options).decision;

      expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(before));
    }),
  );
});

test("adding a rule leaves the old rules alone, and an empty prefix is refused", () => {
  const rules = addPrefixRule(noRules, ["ls"], "allow");

  expect(noRules.prefixRules).toEqual([]);
  expect(rules.prefixRules).toEqual([{ pattern: [["ls"]], decision: "allow" }]);
  expect(() => addPrefixRule(rules, [], "allow")).toThrow("prefix cannot be empty");
});

test("merged rules keep their order, and later executables win", () => {
  const executables = (path: string) => ({
    ...noRules,
    hostExecutables: new Map([["git", [path]]]),
  });
  const first = addPrefixRule(executables("/a/git"), ["a"], "allow");
  const second = addPrefixRule(executables("/b/git"), ["b"], "prompt");
  const merged = mergeRules(first, second);

  expect(merged.prefixRules.map(({ pattern }) => pattern)).toEqual([[["a"]], [["b"]]]);
  expect(merged.hostExecutables.get("git")).toEqual(["/b/git"]);
});

test.each([
  [[], undefined],
  [["allow"], "allow"],
  [["allow", "prompt"], "prompt"],
  [["prompt", "forbidden", "allow"], "forbidden"],
] as [Decision[], Decision | undefined][])("the strictest of %j is %j", (decisions, expected) => {
  expect(strictest(decisions)).toBe(expected);
});

test("prefixes are listed for the model by words, length and alphabet", () => {
  const list = formatAllowPrefixes([["git", "status"], ["npm"], ["ls"], ["cp"], ['a"b']]);

  expect(list.split("\n")).toEqual([
    '- ["cp"]',
    '- ["ls"]',
    '- ["a\\"b"]',
    '- ["npm"]',
    '- ["git", "status"]',
  ]);
});

test("a rule is rendered in the syntax of rules files", () => {
  const rule = { pattern: [["git"], ["push", "fetch"]], decision: "prompt" as const };

  expect(renderRule(rule)).toBe(
    'prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt")',
  );
});
