import { describe, expect, test } from "vitest";
import { parseOp, parseSubmission } from "../../../src/protocol/read/index.js";

const turn = {
  type: "user_turn",
  items: [{ type: "text", text: "go" }],
  cwd: "/a",
  approval_policy: "never",
  sandbox_policy: { mode: "read-only" },
  model: "m",
  summary: "auto",
};

function refusal(run: () => unknown): unknown {
  try {
    return { accepted: run() };
  } catch (error) {
    const { code, message, data } = error as { code: string; message: string; data: unknown };
    return { code, message, data };
  }
}

describe("errors name the field and carry the submission's id", () => {
  test.each([
    [{ ...turn, items: undefined }, "op.items", "op.items is missing."],
    [{ ...turn, model: 5 }, "op.model", "op.model must be a string, not 5."],
    [{ ...turn, items: "go" }, "op.items", 'op.items must be a list, not "go".'],
    [{ ...turn, items: [{ type: "text" }] }, "op.items[0].text", "op.items[0].text is missing."],
    [
      { ...turn, items: [{ type: "song" }] },
      "op.items[0].type",
      'op.items[0].type is "song", which is not known here.',
    ],
    [
      { ...turn, items: [{}] },
      "op.items[0].type",
      "op.items[0].type must be a string that says which kind it is.",
    ],
    [
      { ...turn, approval_policy: "sometimes" },
      "op.approval_policy",
      'op.approval_policy must be one of "untrusted", "on-failure", "on-request", "never", not "sometimes".',
    ],
    [
      { ...turn, sandbox_policy: { mode: "loose" } },
      "op.sandbox_policy.mode",
      'op.sandbox_policy.mode is "loose", which is not known here.',
    ],
    [
      { ...turn, sandbox_policy: { mode: "workspace-write", writable_roots: ["/a", {}] } },
      "op.sandbox_policy.writable_roots[1]",
      "op.sandbox_policy.writable_roots[1] must be a string, not an object.",
    ],
    [
      { type: "user_input_answer", id: "1", response: { answers: { "a b": 1 } } },
      'op.response.answers["a b"]',
      'op.response.answers["a b"] must be an object, not 1.',
    ],
    [
      { type: "get_history_entry_request", offset: 1.5, log_id: 1 },
      "op.offset",
      "op.offset must be an integer, not 1.5.",
    ],
    [
      { type: "review", review_request: {} },
      "op.review_request",
      "op.review_request.prompt is missing; say what to review.",
    ],
  ])("%j", (op, path, message) => {
    expect(refusal(() => parseSubmission({ id: "s1", op }))).toEqual({
      code: "invalid_request",
      message,
      data: { id: "s1", path },
    });
  });

  test("an op that does not exist", () => {
    expect(refusal(() => parseSubmission({ id: "s1", op: { type: "make_coffee" } }))).toEqual({
      code: "unknown_op",
      message: 'There is no op "make_coffee"; see docs/protocol.md.',
      data: { id: "s1", type: "make_coffee" },
    });
  });

  test.each(["toString", "__proto__", "constructor", "hasOwnProperty"])(
    "an op named like a part of every object: %s",
    (type) => {
      expect(refusal(() => parseOp({ type }))).toMatchObject({ code: "unknown_op" });
    },
  );

  test.each([null, 1, "x", [], [1, 2], {}, { op: { type: "interrupt" } }, { id: 1, op: turn }])(
    "a submission that is %j",
    (value) => {
      expect(refusal(() => parseSubmission(value))).toMatchObject({ code: "invalid_request" });
    },
  );

  test.each([null, "interrupt", [], {}, { type: 1 }, undefined])("an op that is %j", (op) => {
    expect(refusal(() => parseSubmission({ id: "s1", op }))).toMatchObject({
      code: "invalid_request",
      data: { id: "s1" },
    });
  });
});

describe("every spelling is read as the one form", () => {
  test.each([
    [{ mode: "read-only" }, { mode: "read-only" }],
    [{ type: "readOnly" }, { mode: "read-only" }],
    [{ type: "danger_full_access" }, { mode: "danger-full-access" }],
    ["read-only", { mode: "read-only" }],
    [
      {
        type: "workspaceWrite",
        writableRoots: ["/opt"],
        networkAccess: true,
        excludeTmpdirEnvVar: true,
        excludeSlashTmp: null,
      },
      {
        mode: "workspace-write",
        writable_roots: ["/opt"],
        network_access: true,
        exclude_tmpdir_env_var: true,
        exclude_slash_tmp: false,
      },
    ],
    [{ type: "external-sandbox" }, { mode: "external-sandbox", network_access: "restricted" }],
    [
      { type: "externalSandbox", networkAccess: "enabled" },
      { mode: "external-sandbox", network_access: "enabled" },
    ],
  ])("sandbox policy %j", (sandbox_policy, read) => {
    expect(parseOp({ ...turn, sandbox_policy })).toEqual({ ...turn, sandbox_policy: read });
  });

  test.each([
    [
      { type: "text", data: { text: "hi" } },
      { type: "text", text: "hi" },
    ],
    [
      { type: "image", data: { image_url: "data:," } },
      { type: "image", image_url: "data:," },
    ],
    [
      { type: "image", imageUrl: "data:," },
      { type: "image", image_url: "data:," },
    ],
    [
      { type: "image", url: "data:," },
      { type: "image", image_url: "data:," },
    ],
    [
      { type: "localImage", data: { path: "/a.png" } },
      { type: "local_image", path: "/a.png" },
    ],
    [
      {
        type: "text",
        text: "hi",
        textElements: [{ byteRange: { start: 0, end: 2 }, placeholder: null }],
      },
      { type: "text", text: "hi", text_elements: [{ byte_range: { start: 0, end: 2 } }] },
    ],
  ])("input item %j", (item, read) => {
    expect(parseOp({ type: "user_input", items: [item] })).toEqual({
      type: "user_input",
      items: [read],
    });
  });

  const amendment = { proposed_execpolicy_amendment: ["git", "push"] };
  test.each([
    ["approved", "approved"],
    ["accept", "approved"],
    ["allow", "approved"],
    ["acceptForSession", "approved_for_session"],
    ["approvedForSession", "approved_for_session"],
    ["decline", "denied"],
    ["cancel", "abort"],
    [{ approved_execpolicy_amendment: amendment }, { approved_execpolicy_amendment: amendment }],
    [
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "push"] } },
      { approved_execpolicy_amendment: amendment },
    ],
  ])("decision %j", (decision, read) => {
    expect(parseOp({ type: "exec_approval", id: "c1", decision })).toEqual({
      type: "exec_approval",
      id: "c1",
      decision: read,
    });
  });

  test.each([
    ["plan", { mode: "plan" }],
    ["code", { mode: "default" }],
    [{ mode: "pair_programming" }, { mode: "default" }],
    [
      { mode: "plan", settings: { model: "m", reasoning_effort: null } },
      { mode: "plan", settings: { model: "m", reasoning_effort: null } },
    ],
  ])("collaboration mode %j", (collaboration_mode, read) => {
    expect(parseOp({ ...turn, collaboration_mode })).toEqual({ ...turn, collaboration_mode: read });
  });

  test("the older name of user_input_answer", () => {
    const response = { answers: {} };

    expect(parseOp({ type: "request_user_input_response", id: "1", response })).toEqual({
      type: "user_input_answer",
      id: "1",
      response,
    });
  });

  test("the older name of the instructions of a session", () => {
    expect(parseOp({ type: "configure_session", base_instructions: "Be kind." })).toEqual({
      type: "configure_session",
      instructions: "Be kind.",
    });
  });
});

describe("null", () => {
  test("means the same as absent", () => {
    const op = { ...turn, effort: null, final_output_json_schema: null, personality: null };

    expect(parseOp(op)).toEqual(turn);
  });

  test("clears the effort in override_turn_context, and only that", () => {
    const op = { type: "override_turn_context", effort: null, model: null };

    expect(parseOp(op)).toEqual({ type: "override_turn_context", effort: null });
  });

  test("stays inside what belongs to the user", () => {
    const final_output_json_schema = { default: null };

    expect(parseOp({ ...turn, final_output_json_schema })).toEqual({
      ...turn,
      final_output_json_schema,
    });
  });
});

test("fields that are not known are passed on", () => {
  expect(parseOp({ type: "interrupt", later: [1] })).toEqual({ type: "interrupt", later: [1] });
});

test("the input is not modified", () => {
  const op = { type: "user_input", items: [{ type: "localImage", data: { path: "/a" } }], x: null };
  const before = structuredClone(op);

  parseOp(op);

  expect(op).toEqual(before);
});
