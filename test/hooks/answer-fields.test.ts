import { describe, expect, test } from "vitest";
import { parseAnswer } from "../../src/hooks/answer-fields.js";
import { problemOf } from "../../src/hooks/answer-problems.js";
import type { HookEventName } from "../../src/hooks/index.js";

const events = [
  "PreToolUse",
  "PostToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SubagentStart",
] as const satisfies readonly HookEventName[];

const own = (hookEventName: string, fields: object = {}) => ({
  hookSpecificOutput: { hookEventName, ...fields },
});

const parse = (event: HookEventName, value: unknown) => parseAnswer(event, JSON.stringify(value));

describe("fields of every event", () => {
  test.each<[unknown, object]>([
    [{}, {}],
    [{ continue: false }, { continue: false }],
    [{ stopReason: "enough" }, { stopReason: "enough" }],
    [{ suppressOutput: true }, { suppressOutput: true }],
    [{ systemMessage: "hi" }, { systemMessage: "hi" }],
    [{ stopReason: null, systemMessage: null }, {}],
  ])("%j is read", (value, expected) => {
    for (const event of events) expect(parse(event, value)).toEqual(expected);
  });

  test.each<unknown>([
    null,
    5,
    "text",
    [],
    [{}],
    { continue: "false" },
    { continue: null },
    { continue: 0 },
    { suppressOutput: 1 },
    { suppressOutput: null },
    { stopReason: 5 },
    { stopReason: ["x"] },
    { systemMessage: {} },
    { verdict: "no" },
    { Continue: true },
    { toString: "x" },
    { hasOwnProperty: null },
    { decision: "deny" },
    { decision: true },
    { hookSpecificOutput: "x" },
    { hookSpecificOutput: [] },
    { hookSpecificOutput: {} },
    own("Other"),
    own("pretooluse"),
    { hookSpecificOutput: { hookEventName: null } },
  ])("%j is refused", (value) => {
    for (const event of events) expect(parse(event, value)).toBeUndefined();
  });

  test.each(["", "{", "{}}", "{'a': 1}", "undefined", "plain text"])("%j is no JSON", (text) => {
    for (const event of events) expect(parseAnswer(event, text)).toBeUndefined();
  });
});

describe("fields of some events", () => {
  const accepting = (value: (event: HookEventName) => unknown) =>
    events.filter((event) => parse(event, value(event)) !== undefined);
  const context = [
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "SessionStart",
    "SubagentStart",
  ];
  const blocking = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"];

  test.each<[string, (event: HookEventName) => unknown, readonly string[]]>([
    ["decision:block", () => ({ decision: "block" }), blocking],
    ["reason", () => ({ reason: "x" }), blocking],
    ["decision:approve", () => ({ decision: "approve" }), ["PreToolUse"]],
    ["hookSpecificOutput", (event) => own(event), [...context, "PermissionRequest"]],
    [
      "no hookSpecificOutput",
      () => ({ hookSpecificOutput: null }),
      [...context, "PermissionRequest"],
    ],
    ["additionalContext", (event) => own(event, { additionalContext: "x" }), context],
    ["a context of another type", (event) => own(event, { additionalContext: 5 }), []],
    ["permissionDecision", (event) => own(event, { permissionDecision: "deny" }), ["PreToolUse"]],
    ["an unknown permission", (event) => own(event, { permissionDecision: "maybe" }), []],
    ["updatedInput", (event) => own(event, { updatedInput: { a: null } }), ["PreToolUse"]],
    ["an output", (event) => own(event, { updatedMCPToolOutput: [] }), ["PostToolUse"]],
    [
      "a decision on a request",
      (event) => own(event, { decision: { behavior: "deny", message: "no" } }),
      ["PermissionRequest"],
    ],
    ["a decision without a behavior", (event) => own(event, { decision: {} }), []],
    ["a decision with no behavior", (event) => own(event, { decision: { behavior: null } }), []],
    [
      "an unknown field of a decision",
      (event) => own(event, { decision: { behavior: "allow", why: "x" } }),
      [],
    ],
  ])("%s", (_, value, expected) => {
    expect(accepting(value).sort()).toEqual([...expected].sort());
  });

  test("nulls are absent fields, but values in an updated input", () => {
    const value = own("PreToolUse", {
      permissionDecision: "allow",
      permissionDecisionReason: null,
      updatedInput: { command: null, deep: { a: null } },
    });

    expect(parse("PreToolUse", { ...value, reason: null })).toEqual(
      own("PreToolUse", {
        permissionDecision: "allow",
        updatedInput: { command: null, deep: { a: null } },
      }),
    );
  });
});

describe("answers whose fields do not go together", () => {
  const pre = (fields: object) => own("PreToolUse", fields) as object;
  const request = (decision: object) => own("PermissionRequest", { decision }) as object;

  test.each<[HookEventName, object, string | undefined]>([
    ["PreToolUse", {}, undefined],
    ["PreToolUse", { continue: true }, undefined],
    ["PreToolUse", { continue: false }, "unsupported continue:false"],
    ["PreToolUse", { stopReason: "x" }, "unsupported stopReason"],
    ["PreToolUse", { suppressOutput: true }, "unsupported suppressOutput"],
    ["PreToolUse", { suppressOutput: false }, undefined],
    ["PreToolUse", { decision: "approve" }, "unsupported decision:approve"],
    ["PreToolUse", { decision: "block" }, undefined],
    ["PreToolUse", { decision: "block", reason: "no" }, undefined],
    ["PreToolUse", { reason: "no" }, "reason without decision"],
    ["PreToolUse", pre({ permissionDecision: "deny" }), undefined],
    ["PreToolUse", pre({ permissionDecision: "ask" }), "unsupported permissionDecision:ask"],
    ["PreToolUse", pre({ permissionDecision: "allow" }), "unsupported permissionDecision:allow"],
    ["PreToolUse", pre({ permissionDecision: "allow", updatedInput: {} }), undefined],
    [
      "PreToolUse",
      pre({ permissionDecision: "deny", updatedInput: {} }),
      "updatedInput without permissionDecision:allow",
    ],
    ["PreToolUse", pre({ updatedInput: {} }), "updatedInput without permissionDecision:allow"],
    [
      "PreToolUse",
      pre({ permissionDecisionReason: "x" }),
      "permissionDecisionReason without permissionDecision",
    ],
    ["PreToolUse", pre({ additionalContext: "x" }), undefined],
    ["PostToolUse", { continue: false }, undefined],
    ["PostToolUse", { suppressOutput: true }, "unsupported suppressOutput"],
    ["PostToolUse", { suppressOutput: true, continue: false }, undefined],
    ["PostToolUse", { reason: "x" }, "reason without decision"],
    ["PostToolUse", { decision: "block" }, undefined],
    [
      "PostToolUse",
      own("PostToolUse", { updatedMCPToolOutput: 1 }),
      "unsupported updatedMCPToolOutput",
    ],
    ["PermissionRequest", { continue: false }, "unsupported continue:false"],
    ["PermissionRequest", { stopReason: "" }, "unsupported stopReason"],
    ["PermissionRequest", { suppressOutput: true }, "unsupported suppressOutput"],
    ["PermissionRequest", request({ behavior: "allow" }), undefined],
    ["PermissionRequest", request({ behavior: "deny", interrupt: false }), undefined],
    [
      "PermissionRequest",
      request({ behavior: "deny", interrupt: true }),
      "unsupported interrupt:true",
    ],
    [
      "PermissionRequest",
      request({ behavior: "allow", updatedInput: {} }),
      "unsupported updatedInput",
    ],
    [
      "PermissionRequest",
      request({ behavior: "allow", updatedPermissions: [] }),
      "unsupported updatedPermissions",
    ],
    ["UserPromptSubmit", { decision: "block" }, undefined],
    ["UserPromptSubmit", { reason: "x" }, undefined],
    ["UserPromptSubmit", { suppressOutput: true }, undefined],
    ["Stop", { decision: "block", reason: "go on" }, undefined],
    ["Stop", { decision: "block" }, "decision:block without a non-empty reason"],
    ["Stop", { decision: "block", reason: " \n" }, "decision:block without a non-empty reason"],
    ["Stop", { decision: "block", continue: false }, undefined],
    ["SubagentStop", { decision: "block" }, "decision:block without a non-empty reason"],
    ["SessionStart", { continue: false, stopReason: "x" }, undefined],
    ["SessionStart", { suppressOutput: true }, undefined],
  ])("%s with %j: %s", (event, value, problem) => {
    const answer = parse(event, value);

    expect(answer).toBeDefined();
    expect(problemOf(event, answer ?? {})).toBe(
      problem === undefined ? undefined : `${event} hook returned ${problem}`,
    );
  });
});
