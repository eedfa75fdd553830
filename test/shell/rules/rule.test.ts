import { expect, test } from "vitest";
import { evaluateRules, networkDomains, parseRules } from "../../../src/shell/index.js";

const rules = (text: string) => parseRules([{ name: "a.rules", text }]);
const fallback = () => "allow" as const;

test("every matching rule counts and the strictest decides", () => {
  const some = rules(`prefix_rule(["git"], "allow")
prefix_rule(["git", ["push", "fetch"]], "forbidden", justification = "offline")
prefix_rule(["git", "commit"], "prompt")`);

  expect(evaluateRules(some, [["git", "push", "x"], ["ls"]], { fallback })).toEqual({
    decision: "forbidden",
    matchedRules: [
      { prefixRuleMatch: { matchedPrefix: ["git"], decision: "allow" } },
      {
        prefixRuleMatch: {
          matchedPrefix: ["git", "push"],
          decision: "forbidden",
          justification: "offline",
        },
      },
      { heuristicsRuleMatch: { command: ["ls"], decision: "allow" } },
    ],
  });
});

test("a command shorter than the rule does not match", () => {
  const { matchedRules } = evaluateRules(rules('prefix_rule(["git", "log"])'), [["git"]], {
    fallback,
  });

  expect(matchedRules).toEqual([{ heuristicsRuleMatch: { command: ["git"], decision: "allow" } }]);
});

test("a path counts as its name only where it is asked for and listed", () => {
  const some = rules(`prefix_rule(["git"], "prompt")
host_executable("git", ["/usr/bin/git"])`);
  const decide = (program: string, resolveHostExecutables: boolean) =>
    evaluateRules(some, [[program, "log"]], { fallback, resolveHostExecutables }).decision;

  expect(decide("/usr/bin/git", false)).toBe("allow");
  expect(decide("/usr/bin/git", true)).toBe("prompt");
  expect(decide("/tmp/git", true)).toBe("allow");
});

test("no commands at all are asked about", () => {
  expect(evaluateRules(rules(""), [], { fallback })).toEqual({
    decision: "prompt",
    matchedRules: [],
  });
});

test("the last rule about a host counts, in one spelling", () => {
  const some = rules(`network_rule("A.com:443", "https", "allow")
network_rule("b.com.", "http", "deny")
network_rule("[::1]:80", "http", "allow")
network_rule("a.com", "https", "deny")
network_rule("b.com", "http", "prompt")`);

  expect(networkDomains(some)).toEqual({ allowed: ["::1"], denied: ["b.com", "a.com"] });
});
