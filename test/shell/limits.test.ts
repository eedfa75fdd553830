import { expect, test } from "vitest";
import {
  dangerousListOf2026,
  dangerousMatch,
  decideExec,
  isKnownSafe,
  joinWords,
  latestDangerousList,
  parseCommand,
  parseRules,
  safeListOf2026,
  splitWords,
} from "../../src/shell/index.js";

// Scripts that make a naive parser take minutes or overflow its stack.
test.each([
  ["open braces in a word", `echo ${"{a,".repeat(50_000)}`],
  ["open substitutions", "$(".repeat(50_000)],
  ["closed substitutions", `echo ${"$(".repeat(20_000)}ls${")".repeat(20_000)}`],
  ["process substitutions", `cat ${"<(".repeat(50_000)}`],
  ["arithmetic", `echo ${"$((".repeat(30_000)}`],
  ["functions of functions", "f() ".repeat(20_000)],
  ["subshells", "(".repeat(90_000)],
  ["back ticks", "`a ".repeat(50_000)],
  ["here-documents", "cat <<A\n".repeat(20_000)],
  ["escapes in quotes", `echo "${"\\a".repeat(75_000)}"`],
  ["many words", `echo ${"a ".repeat(90_000)}`],
  ["more than anything", "a".repeat(1_000_000)],
])("a script of %s is judged in a moment", (_name, script) => {
  const argv = ["bash", "-lc", script];
  const start = process.cpuUsage(); // a busy machine takes longer, but does no more

  parseCommand(argv);
  isKnownSafe(argv, safeListOf2026, "linux");
  dangerousMatch(argv, latestDangerousList, "linux");
  splitWords(joinWords(argv));

  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(3_000);
});

test("a script too large to look through is dangerous when it speaks of rm", () => {
  const large = (text: string) => ["bash", "-lc", `${text}\n${"(".repeat(200_001)}`];

  expect(dangerousMatch(large("$x rm"), latestDangerousList, "linux")).toBe("ForcedRm");
  expect(dangerousMatch(large("echo alarm"), latestDangerousList, "linux")).toBeUndefined();
});

test("a script too large to look through is asked about when rules forbid something", () => {
  const decision = decideExec({
    argv: ["bash", "-lc", "a".repeat(200_001)],
    approvalPolicy: "on-request",
    sandboxPolicy: { mode: "read-only" },
    escalated: false,
    rules: parseRules([{ name: "a", text: 'prefix_rule(["npm"], "forbidden")' }]),
    safeList: safeListOf2026,
    dangerousList: dangerousListOf2026,
    approvedForSession: false,
    platformSandbox: true,
    trustedRunsSandboxed: true,
    proposeAmendments: false,
  });

  expect(decision).toEqual({ decision: "ask" });
});

test("rules files full of brackets are an error, not the end", () => {
  const text = `x = ${"[".repeat(100_000)}`;

  expect(() => parseRules([{ name: "a.rules", text }])).toThrow("brackets are nested too deeply");
});
