import { checkAskForApproval, checkSandboxPolicy } from "../checks/sqeq.generated.js";
import type { AskForApproval, SandboxPolicy } from "../policy.js";
import { assertValid } from "./problem.js";
import { isRecord, type JsonRecord, properFields } from "./record.js";
import { spelled } from "./spelling.js";

/** Reads a sandbox policy in any spelling: by `mode` or `type`, or as the bare mode. */
export function parseSandboxPolicy(value: unknown, name = "sandbox_policy"): SandboxPolicy {
  const policy = toSandboxPolicy(value);
  assertValid(checkSandboxPolicy, policy, name);
  return policy as SandboxPolicy;
}

/** Reads an approval policy in any spelling. */
export function parseAskForApproval(value: unknown, name = "approval_policy"): AskForApproval {
  const policy = toAskForApproval(value);
  assertValid(checkAskForApproval, policy, name);
  return policy as AskForApproval;
}

/** Brings a sandbox policy into the one form, unchecked. */
export function toSandboxPolicy(value: unknown): unknown {
  if (typeof value === "string") return toSandboxPolicy({ mode: value });
  if (!isRecord(value)) return value;
  const { type, ...policy } = properFields(value, fieldNames);
  const mode = spelled(modes, policy.mode ?? type);
  if (mode !== undefined) policy.mode = mode;
  if (mode === "workspace-write") return { ...workspaceDefaults(), ...policy };
  return mode === "external-sandbox" ? toExternal(policy) : policy;
}

/** Brings an approval policy into the one form, unchecked. */
export function toAskForApproval(value: unknown): unknown {
  return spelled(approvals, value);
}

function toExternal(policy: JsonRecord): JsonRecord {
  const network = policy.network_access ?? false;
  if (typeof network !== "boolean") return policy;
  return { ...policy, network_access: network ? "enabled" : "restricted" };
}

function workspaceDefaults(): JsonRecord {
  return {
    mode: "workspace-write",
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  };
}

const modes: Record<string, SandboxPolicy["mode"]> = {
  dangerfullaccess: "danger-full-access",
  readonly: "read-only",
  workspacewrite: "workspace-write",
  externalsandbox: "external-sandbox",
};

const approvals: Record<string, AskForApproval> = {
  untrusted: "untrusted",
  unlesstrusted: "untrusted",
  onfailure: "on-failure",
  onrequest: "on-request",
  never: "never",
};

const fieldNames = {
  writableRoots: "writable_roots",
  networkAccess: "network_access",
  excludeTmpdirEnvVar: "exclude_tmpdir_env_var",
  excludeSlashTmp: "exclude_slash_tmp",
};
