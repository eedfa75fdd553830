import { describe, expect, test } from "vitest";
import { isWorking } from "../../src/agents/agent.js";
import { isAgentPath, isBelow, problemOfName, toAgentPath } from "../../src/agents/names.js";

const charset = "agent_name must use only lowercase letters, digits, and underscores";
const slash = "agent_name must not contain `/`";

describe("names of agents", () => {
  test.each(["a", "tests", "fix_tests", "0", "a1_b2", "_", "roots", "root_1", "x".repeat(200)])(
    "%s can be a name",
    (name) => {
      expect(problemOfName(name)).toBeUndefined();
    },
  );

  test.each([
    ["", charset],
    ["A", charset],
    ["fixTests", charset],
    ["fix-tests", charset],
    ["fix tests", charset],
    [" tests", charset],
    ["tests\n", charset],
    ["tést", charset],
    ["тест", charset],
    ["١", charset],
    [".", charset],
    ["..", charset],
    ["a.b", charset],
    ["\0", charset],
    ["/", slash],
    ["/root", slash],
    ["a/b", slash],
    ["A/B", slash],
    ["../a", slash],
    ["root", "agent_name `root` is reserved"],
  ])("%j cannot be a name", (name, problem) => {
    expect(problemOfName(name)).toBe(problem);
  });
});

describe("paths of agents", () => {
  test.each([
    ["tests", "/root", "/root/tests"],
    ["tests", "/root/a", "/root/a/tests"],
    ["a/b", "/root", "/root/a/b"],
    ["/root", "/root/a", "/root"],
    ["/root/b", "/root/a/c", "/root/b"],
    ["/elsewhere", "/root", "/elsewhere"],
    ["", "/root", "/root/"],
  ])("the target %j of %s means %s", (target, from, path) => {
    expect(toAgentPath(target, from)).toBe(path);
  });

  test.each([
    ["/root", true],
    ["/root/a", true],
    ["/root/a/b_2", true],
    ["/root/root", true],
    ["", false],
    ["root", false],
    ["/", false],
    ["/roots", false],
    ["/root/", false],
    ["/root//a", false],
    ["/root/A", false],
    ["/root/a/", false],
    ["/root/a b", false],
    ["/root/..", false],
    ["/other/a", false],
    ["x/root/a", false],
    ["/root/a\n", false],
  ])("%j has the form of a path: %s", (path, expected) => {
    expect(isAgentPath(path)).toBe(expected);
  });

  test.each([
    ["/root", "/root", true],
    ["/root/a", "/root", true],
    ["/root/a/b", "/root/a", true],
    ["/root/a", "/root/a", true],
    ["/root/a", "/", true],
    ["/root", "/", true],
    ["/root", "/root/a", false],
    ["/root/ab", "/root/a", false],
    ["/root/a_b", "/root/a", false],
    ["/root/b/a", "/root/a", false],
  ])("%s is at or below %s: %s", (path, prefix, expected) => {
    expect(isBelow(path, prefix)).toBe(expected);
  });
});

test.each([
  ["pending_init", true],
  ["running", true],
  ["interrupted", false],
  ["shutdown", false],
  ["not_found", false],
  [{ completed: null }, false],
  [{ completed: "running" }, false],
  [{ errored: "pending_init" }, false],
] as const)("an agent with status %j works: %s", (status, expected) => {
  expect(isWorking({ status })).toBe(expected);
});
