import { expect, test } from "vitest";
import {
  dangerousListOf2026,
  type ExecDecisionInput,
  explainPolicy,
  parseRules,
  safeListOf2026,
} from "../../src/shell/index.js";

function explain(argv: string[], input: Partial<ExecDecisionInput> = {}) {
  return explainPolicy({
    argv,
    approvalPolicy: "on-request",
    sandboxPolicy: { mode: "workspace-write" },
    escalated: false,
    rules: parseRules([
      {
        name: "r.rules",
        text: '\nprefix_rule(["git", "push"], "prompt", justification = "shared")',
      },
    ]),
    safeList: safeListOf2026,
    dangerousList: dangerousListOf2026,
    approvedForSession: false,
    platformSandbox: true,
    trustedRunsSandboxed: true,
    proposeAmendments: true,
    ...input,
  });
}

test("each part names the source of its verdict, a rule with its position", () => {
  expect(explain(["bash", "-lc", "ls && git push && rm -rf x && make"])).toEqual({
    command: "bash -lc 'ls && git push && rm -rf x && make'",
    decision: "ask",
    outcome:
      "The user is asked first (`bash -lc 'ls && git push && rm -rf x && make'` requires approval: shared); " +
      "once approved it runs without a sandbox.",
    read: "plain script",
    parts: [
      {
        command: "ls",
        decision: "allow",
        by: "safe list",
        because: "on the list of known safe commands of 2026",
        rules: [],
      },
      {
        command: "git push",
        decision: "prompt",
        by: "rule",
        because: "the strictest rule that matches decides",
        rules: [
          {
            rule: 'prefix_rule(pattern=["git", "push"], decision="prompt")',
            place: "r.rules:2",
            justification: "shared",
          },
        ],
      },
      {
        command: "rm -rf x",
        decision: "prompt",
        by: "dangerous list",
        because: "on the list of dangerous commands of 2026, so the user is asked",
        rules: [],
      },
      {
        command: "make",
        decision: "allow",
        by: "policy",
        because:
          "no rule and no list knows it, so approval policy on-request lets it run, " +
          "since the model did not ask to leave the sandbox",
        rules: [],
      },
    ],
  });
});

test("the outcome names the sandbox, or the reason that there is none", () => {
  expect(explain(["make"])).toMatchObject({
    decision: "auto",
    sandboxed: true,
    outcome: "It runs at once, inside the workspace-write sandbox.",
  });
  expect(explain(["make"], { sandboxPolicy: { mode: "danger-full-access" } })).toMatchObject({
    sandboxed: false,
    outcome: "It runs at once; the sandbox policy danger-full-access puts no sandbox around it.",
  });
  expect(explain(["make"], { approvedForSession: true }).outcome).toBe(
    "It runs at once without a sandbox: approved for the session.",
  );
});

test("a question comes with the rule that would spare it", () => {
  expect(explain(["make"], { escalated: true })).toMatchObject({
    decision: "ask",
    proposedRule: ["make"],
  });
});

test("a script that cannot be parsed is reported as opaque", () => {
  const { read, parts } = explain(["bash", "-lc", "echo $(git push)"]);

  expect(read).toBe("opaque script");
  expect(parts.map(({ command, by }) => [command, by])).toEqual([
    ["bash -lc 'echo $(git push)'", "policy"],
    ["git push", "rule"],
  ]);
});
