import { isDeepStrictEqual } from "node:util";
import type { AskForApproval, SandboxPolicy } from "../../src/protocol/types.js";
import { findWritableRoots } from "../../src/sandbox/writable-roots.js";
import {
  dangerousListOf2025,
  dangerousListOf2026,
  decideExec,
  decidePatch,
  type ExecDecisionInput,
  isPatchWritable,
  parseRules,
  type RulesFile,
  safeListOf2025,
  safeListOf2026,
} from "../../src/shell/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";

/** Approval decisions: commands and patches that run, need approval or are refused. */
export const suite: SuiteAdapter = {
  name: "approval_decisions",
  run(testCase) {
    const kind = testCase.kind ?? "";
    if (kind === "exec_approval_requirement") return compareRequirement(testCase);
    if (kind === "command_safety_matrix" || kind === "command_safety") return compareExec(testCase);
    if (kind === "patch_constrained") return compareConstrained(testCase);
    if (kind === "patch_safety_matrix" || kind === "patch_safety") return comparePatch(testCase);
    throw new CannotRun(`unknown kind ${kind}`);
  },
};

/** The tables of 2025 ran known safe commands outside the sandbox; the product does not. */
function compareExec(testCase: SuiteCase): string | undefined {
  const argv = testCase.trust === "known_safe" ? ["ls"] : ["git", "commit"];
  const { decision, ...rest } = decideExec({
    ...commonOf(testCase),
    argv: (testCase.argv as string[] | undefined) ?? argv,
    safeList: safeListOf2025,
    dangerousList: dangerousListOf2025,
    approvedForSession: testCase.trust === "session_approved",
    platformSandbox: testCase.platform_sandbox === true,
    trustedRunsSandboxed: false,
    proposeAmendments: false,
  });
  return difference(testCase, { decision, ...rest });
}

function compareRequirement(testCase: SuiteCase): string | undefined {
  const result = decideExec({
    ...commonOf(testCase),
    argv: testCase.argv as string[],
    safeList: safeListOf2026,
    dangerousList: dangerousListOf2026,
    rules: parseRules(testCase.policies as RulesFile[]),
    approvedForSession: false,
    platformSandbox: true,
    trustedRunsSandboxed: true,
    proposeAmendments: testCase.exec_policy_feature !== false,
    requestedPrefix: (testCase.prefix_rule as string[] | null) ?? undefined,
  });
  const names = { auto: "skip", ask: "needs_approval", reject: "forbidden" } as const;
  return difference(testCase, {
    requirement: names[result.decision],
    reason: "reason" in result ? result.reason : null,
    bypass_sandbox: "allowedByRules" in result ? result.allowedByRules : null,
    proposed_execpolicy_amendment:
      ("proposedAmendment" in result ? result.proposedAmendment : undefined) ?? null,
  });
}

function comparePatch(testCase: SuiteCase): string | undefined {
  const touched = { path: testCase.all_paths_writable === true ? "inside.txt" : "/outside.txt" };
  const { approvalPolicy, sandboxPolicy } = commonOf(testCase);
  const decision = decidePatch({
    paths: Array.isArray(testCase.changes) ? [] : [touched],
    approvalPolicy,
    sandboxPolicy,
    cwd: "/project",
    writableRoots: [{ root: "/project", read_only_subpaths: [] }],
    platformSandbox: testCase.platform_sandbox === true,
  });
  return difference(testCase, decision);
}

function compareConstrained(testCase: SuiteCase): string | undefined {
  const sandboxPolicy = testCase.sandbox_policy as SandboxPolicy;
  const cwd = testCase.cwd as string;
  const { roots } = findWritableRoots({
    policy: sandboxPolicy,
    cwd,
    env: {},
    platform: process.platform,
    realPath: (path) => path, // the paths of the cases do not exist
  });
  const actual = isPatchWritable({
    paths: (testCase.add as string[]).map((path) => ({ path })),
    sandboxPolicy,
    cwd,
    writableRoots: roots.map(({ path }) => ({ root: path, read_only_subpaths: [] })),
  });
  return actual === testCase.expect ? undefined : String(actual);
}

function commonOf(
  testCase: SuiteCase,
): Pick<ExecDecisionInput, "approvalPolicy" | "sandboxPolicy" | "escalated"> {
  return {
    approvalPolicy: (testCase.approval_policy ?? "on-request") as AskForApproval,
    sandboxPolicy: { mode: testCase.sandbox ?? "read-only" } as SandboxPolicy,
    escalated: testCase.escalated === true,
  };
}

/** Only the fields that the case names are compared. */
function difference(testCase: SuiteCase, actual: Record<string, unknown>): string | undefined {
  const expected = testCase.expect as Record<string, unknown>;
  const named = Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key]]));
  return isDeepStrictEqual(named, expected) ? undefined : JSON.stringify(actual);
}
