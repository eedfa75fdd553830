import { expect, test } from "vitest";
import { readSettings } from "../../../src/tui/state/settings.js";

const before = {
  model: "gpt-5",
  effort: "high",
  provider: "openai",
  cwd: "/project",
  approval: "never",
  sandbox: "workspace-write",
  mode: "plan",
} as const;

test("omitted settings keep their value, or get a cautious default", () => {
  expect(readSettings({}, before)).toEqual(before);
  expect(readSettings({})).toEqual({
    model: "",
    effort: undefined,
    provider: "",
    cwd: "",
    approval: "on-request",
    sandbox: "read-only",
    mode: "default",
  });
});

test.each([
  [{ model: "o" }, { model: "o" }],
  [{ modelProvider: "ollama" }, { provider: "ollama" }],
  [{ reasoningEffort: "low" }, { effort: "low" }],
  [{ effort: "low" }, { effort: "low" }],
  [{ approvalPolicy: "untrusted" }, { approval: "untrusted" }],
  [{ approvalPolicy: { granular: {} } }, { approval: "granular" }],
  [{ approvalPolicy: 7 }, {}],
  [{ sandbox: "read-only" }, { sandbox: "read-only" }],
  [{ sandbox: { type: "dangerFullAccess" } }, { sandbox: "danger-full-access" }],
  [{ sandboxPolicy: { type: "externalSandbox" } }, { sandbox: "external-sandbox" }],
  [{ sandboxPolicy: { type: "somethingNew" } }, { sandbox: "somethingNew" }],
  [{ sandboxPolicy: null }, {}],
  [{ collaborationMode: { mode: "default" } }, { mode: "default" }],
  [{ collaborationMode: { mode: "pair" } }, { mode: "default" }],
  [{ collaborationMode: null }, {}],
])("%j changes %j", (wire, change) => {
  expect(readSettings(wire, before)).toEqual({ ...before, ...change });
});
