import { expect, test } from "vitest";
import type { SandboxPolicy } from "../../../src/protocol/rpc/v2/policy.js";
import type { SandboxPolicy as EnginePolicy } from "../../../src/protocol/types.js";
import {
  assertOnlyProfile,
  toEngineApproval,
  toEnginePolicy,
  toEngineReviewer,
  toV2Policy,
} from "../../../src/server/methods/policy.js";

const workspace: EnginePolicy = {
  mode: "workspace-write",
  writable_roots: ["/a"],
  network_access: true,
  exclude_tmpdir_env_var: true,
  exclude_slash_tmp: false,
};

test.each<EnginePolicy>([
  { mode: "danger-full-access" },
  { mode: "read-only" },
  workspace,
  { mode: "external-sandbox", network_access: "enabled" },
])("%j survives the conversion to v2 and back", (policy) => {
  expect(toEnginePolicy(toV2Policy(policy))).toEqual(policy);
});

test("omitted fields of a workspace policy have safe defaults", () => {
  expect(toEnginePolicy({ type: "workspaceWrite" } as SandboxPolicy)).toEqual({
    mode: "workspace-write",
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  });
});

test("an external sandbox restricts the network by default", () => {
  expect(toEnginePolicy({ type: "externalSandbox" } as SandboxPolicy)).toEqual({
    mode: "external-sandbox",
    network_access: "restricted",
  });
});

test("a profile cannot be combined with another policy", () => {
  const profile = { permissions: ":read-only" };

  expect(() => assertOnlyProfile(profile, { sandbox: null, sandboxPolicy: {} })).toThrow(
    "`permissions` cannot be combined with `sandboxPolicy`",
  );
  expect(() => assertOnlyProfile(profile, { sandbox: null })).not.toThrow();
  expect(() => assertOnlyProfile({ permissions: undefined }, { sandbox: "x" })).not.toThrow();
});

test("granular approval is not supported", () => {
  expect(toEngineApproval("never")).toBe("never");
  expect(() => toEngineApproval({ granular: {} } as never)).toThrow("`granular` is not supported");
});

test.each([
  [undefined, {}],
  ["user", { approvals_reviewer: "user" }],
  ["auto_review", { approvals_reviewer: "auto_review" }],
  ["guardian_subagent", { approvals_reviewer: "auto_review" }],
] as const)("the reviewer %j is %j in an op", (reviewer, field) => {
  expect(toEngineReviewer(reviewer)).toEqual(field);
});
