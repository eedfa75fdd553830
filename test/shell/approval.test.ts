import { describe, expect, test } from "vitest";
import type { AskForApproval, SandboxPolicy } from "../../src/protocol/types.js";
import {
  dangerousListOf2025,
  dangerousListOf2026,
  decideExec,
  type ExecDecisionInput,
  escalationRefusal,
  parseRules,
  safeListOf2025,
  safeListOf2026,
} from "../../src/shell/index.js";

const fullAccess: SandboxPolicy = { mode: "danger-full-access" };
const readOnly: SandboxPolicy = { mode: "read-only" };

/** Decides like the product; without `rules`, like 2025. */
function decide(argv: string[], input: Partial<ExecDecisionInput> & { rulesText?: string } = {}) {
  const { rulesText, ...rest } = input;
  const rules =
    rulesText === undefined ? {} : { rules: parseRules([{ name: "a", text: rulesText }]) };
  return decideExec({
    argv,
    approvalPolicy: "on-request",
    sandboxPolicy: readOnly,
    escalated: false,
    safeList: rulesText === undefined ? safeListOf2025 : safeListOf2026,
    dangerousList: rulesText === undefined ? dangerousListOf2025 : dangerousListOf2026,
    approvedForSession: false,
    platformSandbox: true,
    trustedRunsSandboxed: true,
    proposeAmendments: true,
    ...rules,
    ...rest,
  });
}

const inSandbox = { decision: "auto", sandboxed: true, allowedByRules: false };
const outside = { decision: "auto", sandboxed: false, allowedByRules: false };

describe("known safe commands", () => {
  test("run without a question but stay in the sandbox", () => {
    expect(decide(["ls"], { approvalPolicy: "untrusted" })).toEqual({
      ...inSandbox,
      isTrusted: true,
      proposedAmendment: ["ls"],
    });
  });

  test("stay in the sandbox also when the model asks to leave it", () => {
    expect(decide(["cat", "a"], { escalated: true, proposeAmendments: false })).toEqual({
      ...inSandbox,
      isTrusted: true,
    });
  });

  test("require approval like others if there is no sandbox", () => {
    const without = { platformSandbox: false, proposeAmendments: false };

    expect(decide(["ls"], without)).toEqual({ decision: "ask" });
    expect(decide(["ls"], { ...without, approvalPolicy: "never" })).toEqual({
      decision: "reject",
      reason: "auto-rejected because command is not on trusted list",
    });
    expect(decide(["ls"], { ...without, sandboxPolicy: fullAccess })).toEqual(outside);
  });
});

test("a command approved for the session runs outside the sandbox", () => {
  expect(decide(["make"], { approvedForSession: true, approvalPolicy: "untrusted" })).toEqual(
    outside,
  );
});

test("a policy of an outer sandbox puts none of ours around a command", () => {
  const sandboxPolicy: SandboxPolicy = { mode: "external-sandbox" };

  expect(decide(["make"], { sandboxPolicy, proposeAmendments: false, escalated: true })).toEqual(
    outside,
  );
});

// Attacks of the approval area: under `untrusted`, only known safe commands may start.
test.each([
  ["bash", "-lc", "git log --output=PWN"],
  ["bash", "-lc", "echo hi > PWN"],
  ["bash", "-lc", "ls\ntouch PWN"],
  ["bash", "-lc", "ls & touch PWN"],
  ["bash", "-lc", "ls | xargs touch"],
  ["bash", "-lc", "echo `touch PWN`"],
  ["git", "branch", "-D", "main"],
  ["sed", "-n", "1e touch PWN", "f"],
  ["./ls"],
  [],
])("%j is asked about under untrusted with full access", (...argv) => {
  for (const rulesText of [undefined, ""]) {
    const input = { approvalPolicy: "untrusted", sandboxPolicy: fullAccess } as const;
    const decision = decide(argv, rulesText === undefined ? input : { ...input, rulesText });
    expect(decision.decision).toBe("ask");
  }
});

describe("rules", () => {
  test("that allow a command let it run outside the sandbox, if they allow all of it", () => {
    const rulesText = 'prefix_rule(["make"])';

    expect(decide(["make", "all"], { rulesText })).toEqual({ ...outside, allowedByRules: true });
    expect(decide(["bash", "-lc", "make && make test"], { rulesText })).toEqual({
      ...outside,
      allowedByRules: true,
    });
    expect(decide(["bash", "-lc", "make && cc x.c"], { rulesText })).toEqual(inSandbox);
  });

  test.each(["ls && curl x | sh", "ls; rm f", "ls > ~/.bashrc", "ls $(rm f)", "ls & rm f"])(
    "that allow ls do not reach %j",
    (script) => {
      const decision = decide(["bash", "-lc", script], {
        rulesText: 'prefix_rule(["ls"])',
        approvalPolicy: "untrusted",
      });

      expect(decision.decision).toBe("ask");
    },
  );

  test("that allow a program do not reach a shell of the project that runs it", () => {
    const decision = decide(["./bash", "-lc", "make"], {
      rulesText: 'prefix_rule(["make"])',
      approvalPolicy: "untrusted",
    });

    expect(decision).toEqual({ decision: "ask", proposedAmendment: ["./bash", "-lc", "make"] });
  });

  test("that forbid take precedence, with the reason of the rule", () => {
    const rulesText = `prefix_rule(["git"])
prefix_rule(["git", "push"], "forbidden")
prefix_rule(["npm"], "forbidden", justification = "use pnpm")`;

    expect(decide(["git", "push"], { rulesText, approvedForSession: true })).toEqual({
      decision: "reject",
      reason: "`git push` rejected: policy forbids commands starting with `git push`",
    });
    expect(decide(["bash", "-lc", "ls && npm i"], { rulesText })).toEqual({
      decision: "reject",
      reason: "`bash -lc 'ls && npm i'` rejected: use pnpm",
    });
  });

  test.each([
    "for i in 1 2; do git push; done",
    "echo $(git push)",
    "git push > log",
    "git push *",
  ])("that forbid also find their command inside %j", (script) => {
    const rulesText = 'prefix_rule(["git", "push"], "forbidden", justification = "no")';

    expect(decide(["bash", "-lc", script], { rulesText }).decision).toBe("reject");
  });

  test("that prompt give a reason, or name the policy, and are refused if approval is not possible", () => {
    const rulesText =
      'prefix_rule(["a"], "prompt")\nprefix_rule(["b"], "prompt", justification = "slow")';

    expect(decide(["a", "1"], { rulesText })).toEqual({
      decision: "ask",
      reason: "`a 1` requires approval by policy",
    });
    expect(decide(["b"], { rulesText })).toEqual({
      decision: "ask",
      reason: "`b` requires approval: slow",
    });
    expect(decide(["b"], { rulesText, approvalPolicy: "never" })).toEqual({
      decision: "reject",
      reason: "approval required by policy, but AskForApproval is set to Never",
    });
    expect(decide(["b"], { rulesText, approvedForSession: true })).toEqual(outside);
  });
});

describe("a proposed rule", () => {
  const ask = { rulesText: 'prefix_rule(["ls"])', approvalPolicy: "untrusted" } as const;

  test("is the first command that was asked about", () => {
    expect(decide(["bash", "-lc", "ls && cc a.c && make"], ask)).toEqual({
      decision: "ask",
      proposedAmendment: ["cc", "a.c"],
    });
  });

  test("is the model's suggestion if the command starts with it", () => {
    const requestedPrefix = ["cargo", "install"];

    expect(decide(["cargo", "install", "x"], { ...ask, requestedPrefix })).toMatchObject({
      proposedAmendment: requestedPrefix,
    });
  });

  test.each([[["rm"]], [["bash", "-lc"]], [["python3"]], [[]]])(
    "is not %j, which is another command or all commands",
    (requestedPrefix) => {
      const argv = ["bash", "-lc", "cc $X"];

      expect(decide(argv, { ...ask, requestedPrefix })).toMatchObject({ proposedAmendment: argv });
    },
  );
});

test("a dangerous command requires approval, or is refused if approval is not possible", () => {
  const input = { rulesText: "", sandboxPolicy: fullAccess, proposeAmendments: false };

  expect(decide(["rm", "-rf", "/"], input)).toEqual({ decision: "ask" });
  expect(decide(["rm", "-rf", "/"], { ...input, approvalPolicy: "never" })).toEqual({
    decision: "reject",
    reason: "`rm -rf /` rejected: blocked by policy",
  });
});

test.each<[AskForApproval, string | undefined]>([
  ["on-request", undefined],
  ["never", "Never"],
  ["untrusted", "UnlessTrusted"],
  ["on-failure", "OnFailure"],
])("asking to leave the sandbox under %s is refused by the name %s", (policy, name) => {
  expect(escalationRefusal(policy)).toBe(
    name &&
      `approval policy is ${name}; reject command — you should not ask for escalated permissions if the approval policy is ${name}`,
  );
});
