import { CodexError } from "../../protocol/error.js";
import { toSandboxPolicy } from "../../protocol/read/policy.js";
import type { AskForApproval, SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import type {
  ApprovalsReviewer,
  AskForApproval as EngineApproval,
  SandboxPolicy as EnginePolicy,
} from "../../protocol/types.js";

/** Converts a sandbox policy to v2. */
export function toV2Policy(policy: EnginePolicy): SandboxPolicy {
  switch (policy.mode) {
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case "read-only":
      return { type: "readOnly", networkAccess: false };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: policy.writable_roots ?? [],
        networkAccess: policy.network_access ?? false,
        excludeTmpdirEnvVar: policy.exclude_tmpdir_env_var ?? false,
        excludeSlashTmp: policy.exclude_slash_tmp ?? false,
      };
    case "external-sandbox":
      return { type: "externalSandbox", networkAccess: policy.network_access ?? "restricted" };
  }
}

/** Converts a sandbox policy from v2 to the engine. */
export function toEnginePolicy(policy: SandboxPolicy): EnginePolicy {
  switch (policy.type) {
    case "dangerFullAccess":
      return { mode: "danger-full-access" };
    case "readOnly":
      return { mode: "read-only" };
    case "workspaceWrite":
      return {
        mode: "workspace-write",
        writable_roots: policy.writableRoots ?? [],
        network_access: policy.networkAccess ?? false,
        exclude_tmpdir_env_var: policy.excludeTmpdirEnvVar ?? false,
        exclude_slash_tmp: policy.excludeSlashTmp ?? false,
      };
    case "externalSandbox":
      return { mode: "external-sandbox", network_access: policy.networkAccess ?? "restricted" };
  }
}

const builtInProfiles: Readonly<Record<string, string>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access",
};

/**
 * Returns the policy of a built-in permission profile; throws for others, which are not enforced.
 */
export function toProfilePolicy(
  profile: string,
  others: Readonly<Record<string, unknown>>,
): EnginePolicy {
  const [other] = Object.entries(others).find(([, value]) => value != null) ?? [];
  if (other !== undefined) {
    const message = `\`permissions\` cannot be combined with \`${other}\``;
    throw new CodexError("invalid_request", message);
  }
  const mode = Object.hasOwn(builtInProfiles, profile) ? builtInProfiles[profile] : undefined;
  if (mode !== undefined) return toSandboxPolicy(mode) as EnginePolicy;
  const known = Object.keys(builtInProfiles).join(", ");
  const message =
    `The permission profile \`${profile}\` is not enforced here yet: use \`sandbox\` or a built-in ` +
    `profile (${known}).`;
  throw new CodexError("unsupported", message);
}

/** Converts an approval policy to the engine; throws if the engine does not support it. */
export function toEngineApproval(policy: AskForApproval): EngineApproval {
  if (typeof policy === "string") return policy;
  const message =
    "The approval policy `granular` is not supported; use `untrusted`, `on-request` or `never`.";
  throw new CodexError("unsupported", message);
}

/** Returns the reviewer as a field of an op, under its current name; empty if omitted. */
export function toEngineReviewer(reviewer: ApprovalsReviewer | undefined): {
  approvals_reviewer?: ApprovalsReviewer;
} {
  if (reviewer === undefined) return {};
  return { approvals_reviewer: reviewer === "guardian_subagent" ? "auto_review" : reviewer };
}
