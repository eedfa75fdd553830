import { expect, test } from "vitest";
import type { HookEventName, HookOutcome } from "../../src/hooks/index.js";
import type { HookRun } from "../../src/protocol/types.js";
import { createTestHooks, one } from "./support/hooks.js";

type Expected = { status: HookRun["status"]; entries?: [string, string][] } & Omit<
  HookOutcome,
  "contexts" | "blocked"
> & { contexts?: string[]; reason?: string };

const failed = (text: string): Expected => ({ status: "failed", entries: [["error", text]] });
const blocked = (reason: string): Expected => ({
  status: "blocked",
  entries: [["feedback", reason]],
  reason,
});
const stopped = (reason: string): Expected => ({
  status: "stopped",
  entries: [["stop", reason]],
  stopped: { reason },
});
const context = (text: string): Expected => ({
  status: "completed",
  entries: [["context", text]],
  contexts: [text],
});
const completed: Expected = { status: "completed" };

const specific = (event: HookEventName, fields: object) =>
  print({ hookSpecificOutput: { hookEventName: event, ...fields } });

function print(answer: unknown): string {
  return `printf '%s' '${typeof answer === "string" ? answer : JSON.stringify(answer)}'`;
}

const pre: [string, string, Expected][] = [
  ["exits with 0", "true", completed],
  ["prints plain text", "echo fine", completed],
  ["exits with 2 and a reason", "echo ' not this one ' >&2; exit 2", blocked("not this one")],
  ["exits with 2 without a reason", "exit 2", blocked("the PreToolUse hook gave no reason")],
  ["exits with 1", "echo no >&2; exit 1", failed("hook exited with code 1")],
  ["is not found", "/no/such/hook", failed("hook exited with code 127")],
  ["is killed", "kill -9 $$", failed("hook exited without a status code")],
  ["prints broken JSON", print("{"), failed("hook returned invalid pre-tool-use JSON output")],
  ["prints a list", print("[]"), failed("hook returned invalid pre-tool-use JSON output")],
  [
    "prints an unknown field",
    print({ verdict: "no" }),
    failed("hook returned invalid pre-tool-use JSON output"),
  ],
  [
    "prints the answer of another event",
    specific("PostToolUse", {}),
    failed("hook returned invalid pre-tool-use JSON output"),
  ],
  [
    "prints a field of a wrong type",
    print({ decision: "block", reason: 5 }),
    failed("hook returned invalid pre-tool-use JSON output"),
  ],
  ["prints an empty object", print({}), completed],
  [
    "denies with a reason",
    specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "policy" }),
    blocked("policy"),
  ],
  [
    "denies without a reason",
    specific("PreToolUse", { permissionDecision: "deny" }),
    blocked("the PreToolUse hook gave no reason"),
  ],
  ["blocks with a reason", print({ decision: "block", reason: "old form" }), blocked("old form")],
  [
    "blocks without a reason",
    print({ decision: "block" }),
    blocked("the PreToolUse hook gave no reason"),
  ],
  [
    "gives a reason only",
    print({ reason: "why" }),
    failed("PreToolUse hook returned reason without decision"),
  ],
  [
    "approves",
    print({ decision: "approve" }),
    failed("PreToolUse hook returned unsupported decision:approve"),
  ],
  [
    "allows",
    specific("PreToolUse", { permissionDecision: "allow" }),
    failed("PreToolUse hook returned unsupported permissionDecision:allow"),
  ],
  [
    "wants the user to be asked",
    specific("PreToolUse", { permissionDecision: "ask" }),
    failed("PreToolUse hook returned unsupported permissionDecision:ask"),
  ],
  [
    "stops",
    print({ continue: false, stopReason: "enough" }),
    failed("PreToolUse hook returned unsupported continue:false"),
  ],
  [
    "suppresses output",
    print({ suppressOutput: true }),
    failed("PreToolUse hook returned unsupported suppressOutput"),
  ],
  [
    "changes the input",
    specific("PreToolUse", { permissionDecision: "allow", updatedInput: { command: "ls" } }),
    { status: "completed", updatedInput: { command: "ls" } },
  ],
  [
    "changes the input without allowing it",
    specific("PreToolUse", { updatedInput: { command: "ls" } }),
    failed("PreToolUse hook returned updatedInput without permissionDecision:allow"),
  ],
  ["adds context", specific("PreToolUse", { additionalContext: "milk" }), context("milk")],
  [
    "warns",
    print({ systemMessage: "careful", hookSpecificOutput: null }),
    { status: "completed", entries: [["warning", "careful"]] },
  ],
];

const others: [HookEventName, string, string, Expected][] = [
  ["PostToolUse", "exits with 2", "echo again >&2; exit 2", blocked("again")],
  [
    "PostToolUse",
    "exits with 2 without a reason",
    "exit 2",
    blocked("the PostToolUse hook gave no reason"),
  ],
  ["PostToolUse", "blocks", print({ decision: "block", reason: "look" }), blocked("look")],
  ["PostToolUse", "stops", print({ continue: false, stopReason: "end" }), stopped("end")],
  [
    "PostToolUse",
    "stops without a reason",
    print({ continue: false }),
    stopped("PostToolUse hook stopped execution"),
  ],
  [
    "PostToolUse",
    "changes the output",
    specific("PostToolUse", { updatedMCPToolOutput: "x" }),
    failed("PostToolUse hook returned unsupported updatedMCPToolOutput"),
  ],
  [
    "PostToolUse",
    "adds context",
    specific("PostToolUse", { additionalContext: "n" }),
    context("n"),
  ],
  [
    "PermissionRequest",
    "allows",
    specific("PermissionRequest", { decision: { behavior: "allow" } }),
    { status: "completed", permission: { behavior: "allow" } },
  ],
  [
    "PermissionRequest",
    "denies",
    specific("PermissionRequest", { decision: { behavior: "deny", message: "not here" } }),
    {
      status: "blocked",
      entries: [["feedback", "not here"]],
      permission: { behavior: "deny", message: "not here" },
    },
  ],
  [
    "PermissionRequest",
    "denies without a message",
    specific("PermissionRequest", { decision: { behavior: "deny" } }),
    {
      status: "blocked",
      entries: [["feedback", "PermissionRequest hook denied approval"]],
      permission: { behavior: "deny", message: "PermissionRequest hook denied approval" },
    },
  ],
  [
    "PermissionRequest",
    "exits with 2",
    "echo never >&2; exit 2",
    {
      status: "blocked",
      entries: [["feedback", "never"]],
      permission: { behavior: "deny", message: "never" },
    },
  ],
  [
    "PermissionRequest",
    "changes the input",
    specific("PermissionRequest", { decision: { behavior: "allow", updatedInput: {} } }),
    failed("PermissionRequest hook returned unsupported updatedInput"),
  ],
  [
    "PermissionRequest",
    "does not say which",
    specific("PermissionRequest", { decision: {} }),
    failed("hook returned invalid permission-request JSON output"),
  ],
  ["UserPromptSubmit", "prints plain text", "echo the sky is green", context("the sky is green")],
  ["UserPromptSubmit", "exits with 2", "echo no secrets >&2; exit 2", blocked("no secrets")],
  ["UserPromptSubmit", "blocks", print({ decision: "block", reason: "no" }), blocked("no")],
  ["UserPromptSubmit", "stops", print({ continue: false, stopReason: "end" }), stopped("end")],
  ["SessionStart", "prints plain text", "echo hello", context("hello")],
  ["SessionStart", "exits with 2", "echo no >&2; exit 2", failed("hook exited with code 2")],
  ["SessionStart", "stops", print({ continue: false, stopReason: "end" }), stopped("end")],
  ["SubagentStart", "prints plain text", "echo hello", context("hello")],
  ["SubagentStart", "stops", print({ continue: false }), completed],
  ["Stop", "exits with 2", "echo tests too >&2; exit 2", blocked("tests too")],
  ["Stop", "prints plain text", "echo ok", failed("hook returned invalid stop hook JSON output")],
  ["Stop", "stops", print({ continue: false, stopReason: "end" }), stopped("end")],
  ["SubagentStop", "blocks", print({ decision: "block", reason: "more" }), blocked("more")],
  ["PreCompact", "stops", print({ continue: false, stopReason: "later" }), stopped("later")],
  ["PreCompact", "fails", "echo broken >&2; exit 2", failed("broken")],
  ["PostCompact", "prints plain text", "echo done", completed],
  ["SessionEnd", "prints anything", print("{"), completed],
  ["SessionEnd", "fails", "echo broken >&2; exit 3", failed("broken")],
  ["PreModelRequest", "exits with 2", "echo no >&2; exit 2", failed("hook exited with code 2")],
  ["PostModelRequest", "prints anything", print("{"), completed],
  ["Interrupt", "exits with 0", "true", completed],
];

test.each<[HookEventName, string, string, Expected]>([
  ...pre.map((row): (typeof others)[number] => ["PreToolUse", ...row]),
  ...others,
])("a %s hook that %s decides as it should", async (event, _, command, expected) => {
  await using test = await createTestHooks(one(event, command));

  const outcome = await test.run(event, { names: ["Bash"] });

  const { status, entries = [], reason, contexts = [], ...more } = expected;
  const [run] = test.completed;
  expect({
    status: run?.status,
    entries: run?.entries.map(({ kind, text }) => [kind, text]),
  }).toEqual({
    status,
    entries,
  });
  const denied = reason === undefined ? {} : { blocked: { reason, runId: run?.id } };
  const { blocks: _blocks, ...rest } = outcome;
  expect(rest).toEqual({ contexts, ...denied, ...more });
});

test.each<[HookEventName, object]>([
  ["PreToolUse", { blocked: { reason: expect.stringContaining("hook exited with code 1") } }],
  ["PostToolUse", { blocked: { reason: expect.stringContaining("hook exited with code 1") } }],
  ["UserPromptSubmit", { blocked: { reason: expect.stringContaining('on_failure is "deny"') } }],
  ["PermissionRequest", { permission: { behavior: "deny" } }],
  ["PreModelRequest", { blocked: {} }],
  ["SubagentStart", { blocked: {} }],
  ["SessionStart", { stopped: {} }],
  ["PreCompact", { stopped: {} }],
  ["Stop", { blocked: {} }],
])("a %s hook whose failures deny blocks when it fails", async (event, expected) => {
  await using test = await createTestHooks(one(event, "exit 1", { on_failure: "deny" }));

  expect(await test.run(event, { names: ["Bash"] })).toMatchObject(expected);
  expect(test.completed[0]?.entries[0]).toEqual({ kind: "error", text: "hook exited with code 1" });
});

test("a stop hook that always fails does not keep the turn going", async () => {
  await using test = await createTestHooks(one("Stop", "exit 1", { on_failure: "deny" }));

  expect(await test.run("Stop", { input: { stop_hook_active: true } })).toEqual({ contexts: [] });
});

test.each(["fine", undefined])(
  "a hook that allows does not fail, even if failures deny (reason: %s)",
  async (permissionDecisionReason) => {
    const allow = specific("PreToolUse", { permissionDecision: "allow", permissionDecisionReason });
    await using test = await createTestHooks(one("PreToolUse", allow, { on_failure: "deny" }));

    expect(await test.run("PreToolUse")).toEqual({ contexts: [] });
  },
);
