import { expect, test } from "vitest";
import {
  parseAskForApproval,
  parseAuthMethod,
  parseSandboxPolicy,
} from "../../../src/protocol/read/index.js";
import { parseSubmission } from "../../../src/protocol/read/submission.js";

const answer = (decision: unknown) => ({
  id: "1",
  op: { type: "exec_approval", id: "c1", decision },
});

test("[documents D15] the error for a wrong decision lists every accepted value", () => {
  let message = "";
  try {
    parseSubmission(answer("maybe"));
  } catch (error) {
    message = (error as Error).message;
  }

  expect(message).toContain('(got "maybe")');
  const listed = [...message.matchAll(/"(\w+)"(?= \(or|,|\))/g)].flatMap(([, word]) => word ?? []);
  const taken = listed.filter((word) => word !== "maybe");
  expect(taken.length).toBe(11);
  for (const word of taken) expect(() => parseSubmission(answer(word))).not.toThrow();
});

const workspace = {
  mode: "workspace-write",
  writable_roots: [],
  network_access: false,
  exclude_tmpdir_env_var: false,
  exclude_slash_tmp: false,
};

test.each([
  ["read-only", { mode: "read-only" }],
  ["readOnly", { mode: "read-only" }],
  [{ mode: "read_only" }, { mode: "read-only" }],
  [{ type: "ReadOnly" }, { mode: "read-only" }],
  ["danger-full-access", { mode: "danger-full-access" }],
  [{ type: "dangerFullAccess" }, { mode: "danger-full-access" }],
  ["workspaceWrite", workspace],
  [
    { type: "workspace-write", networkAccess: true },
    { ...workspace, network_access: true },
  ],
  [
    { mode: "workspace-write", writable_roots: ["/a"], network_access: null },
    { ...workspace, writable_roots: ["/a"] },
  ],
  [
    { type: "external-sandbox", network_access: true },
    { mode: "external-sandbox", network_access: "enabled" },
  ],
  ["externalSandbox", { mode: "external-sandbox", network_access: "restricted" }],
])("the sandbox policy %j is read as %j", (written, policy) => {
  expect(parseSandboxPolicy(written)).toEqual(policy);
});

test.each([
  ["all", 'sandbox_policy.mode is "all", which is not known here.'],
  [{}, "sandbox_policy.mode must be a string that says which kind it is."],
  [5, "sandbox_policy must be an object, not 5."],
  [
    { mode: "workspace-write", writable_roots: "/a" },
    'sandbox_policy.writable_roots must be a list, not "/a".',
  ],
])("the sandbox policy %j is refused: %s", (written, message) => {
  expect(() => parseSandboxPolicy(written)).toThrow(message);
});

test.each([
  ["untrusted", "untrusted"],
  ["unless-trusted", "untrusted"],
  ["UnlessTrusted", "untrusted"],
  ["onFailure", "on-failure"],
  ["on_request", "on-request"],
  ["NEVER", "never"],
])("the approval policy %s is read as %s", (written, policy) => {
  expect(parseAskForApproval(written)).toBe(policy);
});

test("an unknown approval policy is refused with the known ones", () => {
  expect(() => parseAskForApproval("ask")).toThrow(
    'approval_policy must be one of "untrusted", "on-failure", "on-request", "never", not "ask".',
  );
});

test.each([
  ["apikey", "apikey"],
  ["ApiKey", "apikey"],
  ["ChatGPT", "chatgpt"],
  ["sso", undefined],
  [5, undefined],
])("the sign-in method %j is read as %s", (written, method) => {
  expect(parseAuthMethod(written)).toBe(method);
});
