import type { V2Dialect } from "../../protocol/era.js";
import { CodexError } from "../../protocol/error.js";
import type { AskForApproval, SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import type {
  AskForApproval as EngineApproval,
  SandboxPolicy as EnginePolicy,
} from "../../protocol/types.js";

/** When the user is asked, as the engine takes it; throws for what it does not know. */
export function toEngineApproval(policy: AskForApproval): EngineApproval {
  if (typeof policy === "string") return policy;
  throw new CodexError(
    "unsupported",
    "approvalPolicy `granular` is not supported: use `untrusted`, `on-failure`, `on-request` or `never`.",
  );
}

/** What commands may do, as the engine takes it. */
export function toEnginePolicy(policy: SandboxPolicy): EnginePolicy {
  switch (policy.type) {
    case "dangerFullAccess":
      return { mode: "danger-full-access" };
    case "readOnly":
      return { mode: "read-only" };
    case "externalSandbox":
      return { mode: "external-sandbox", network_access: policy.networkAccess ?? "restricted" };
    case "workspaceWrite":
      return {
        mode: "workspace-write",
        writable_roots: policy.writableRoots ?? [],
        network_access: policy.networkAccess ?? false,
        exclude_tmpdir_env_var: policy.excludeTmpdirEnvVar ?? false,
        exclude_slash_tmp: policy.excludeSlashTmp ?? false,
      };
  }
}

/** What commands may do, as clients of a version read it. */
export function toV2Policy(policy: EnginePolicy, { readAccess }: V2Dialect): SandboxPolicy {
  switch (policy.mode) {
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case "read-only":
      return readAccess ? { type: "readOnly", access } : { type: "readOnly", networkAccess: false };
    case "external-sandbox":
      return { type: "externalSandbox", networkAccess: policy.network_access ?? "restricted" };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: policy.writable_roots ?? [],
        ...(readAccess ? { readOnlyAccess: access } : {}),
        networkAccess: policy.network_access ?? false,
        excludeTmpdirEnvVar: policy.exclude_tmpdir_env_var ?? false,
        excludeSlashTmp: policy.exclude_slash_tmp ?? false,
      };
  }
}

/** Whatever the policy, all can be read. */
const access = { type: "fullAccess" };
