import { expect, test } from "vitest";
import type { Op, SessionConfiguredEvent } from "../../../src/protocol/types.js";
import { type Settings, settingsAfter, settingsOf } from "../../../src/server/thread/settings.js";

const before: Settings = {
  model: "gpt-5",
  provider: "openai",
  cwd: "/work",
  approvalPolicy: "on-request",
  approvalsReviewer: "user",
  sandboxPolicy: { mode: "read-only" },
  permissionProfile: undefined,
  effort: "medium",
  summary: undefined,
  personality: undefined,
  collaborationMode: undefined,
};

test("omitted settings of a session have safe defaults", () => {
  const configured = { session_id: "t", model: "gpt-5" } as SessionConfiguredEvent;

  expect(settingsOf(configured)).toEqual({
    ...before,
    provider: "",
    cwd: "",
    effort: undefined,
  });
});

const turn = { type: "user_turn" as const, items: [] };

test.each<[Op, Partial<Settings>]>([
  [{ ...turn, model: "o3", cwd: "/tmp" } as Op, { model: "o3", cwd: "/tmp" }],
  [{ type: "override_turn_context", effort: "high" }, { effort: "high" }],
  [{ type: "override_turn_context", effort: null }, { effort: undefined }],
  [{ type: "override_turn_context", approval_policy: "never" }, { approvalPolicy: "never" }],
  [
    { type: "override_turn_context", sandbox_policy: { mode: "danger-full-access" } },
    { sandboxPolicy: { mode: "danger-full-access" } },
  ],
  [
    { type: "override_turn_context", approvals_reviewer: "auto_review" },
    { approvalsReviewer: "auto_review" },
  ],
])("%j changes %j", (op, changed) => {
  expect(settingsAfter(before, op)).toEqual({ ...before, ...changed });
});

test("the settings of a collaboration mode take precedence over those of the op", () => {
  const mode = { mode: "plan", settings: { model: "o3", reasoning_effort: "low" } } as const;
  const op = { ...turn, model: "gpt-5", effort: "high", collaboration_mode: mode } as unknown as Op;

  expect(settingsAfter(before, op)).toEqual({
    ...before,
    model: "o3",
    effort: "low",
    collaborationMode: mode,
  });
});

test.each<Op>([
  { type: "interrupt" },
  { type: "user_input", items: [] },
  { type: "override_turn_context", model: "gpt-5" },
])("%j returns the same object", (op) => {
  expect(settingsAfter(before, op)).toBe(before);
});
