import { CodexError } from "../../protocol/error.js";
import type { AskForApproval, SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import type {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval as EngineApproval,
  SandboxPolicy as EnginePolicy,
  OverrideTurnContextOp,
} from "../../protocol/types.js";
import type { Server } from "../server.js";

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

/** Converts the active permission profile to v2. */
export function toV2Profile(
  profile: ActivePermissionProfile | undefined,
): ActivePermissionProfile | null {
  return profile === undefined ? null : { id: profile.id, extends: profile.extends ?? null };
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

/** Throws if a permission profile is combined with a sandbox policy. */
export function assertOnlyProfile(
  profile: object,
  others: Readonly<Record<string, unknown>>,
): void {
  const [name, value] = Object.entries(profile)[0] ?? [];
  const other = Object.keys(others).find((key) => others[key] != null);
  if (value == null || other === undefined) return;
  throw new CodexError("invalid_request", `\`${name}\` cannot be combined with \`${other}\``);
}

/** Permissions of a profile, as fields of an op. */
type ProfileFields = Required<
  Pick<OverrideTurnContextOp, "active_permission_profile" | "sandbox_policy">
>;

/** Loads a permission profile for a folder; throws if it does not exist. The engine resolves it again. */
export async function loadProfile(
  name: string,
  { cwd, server }: { cwd: string; server: Server },
): Promise<ProfileFields> {
  const op = { type: "configure_session", cwd, active_permission_profile: { id: name } } as const;
  const { permissions, sandbox_policy, requirements } = await server.loadConfig(op);
  requirements?.assertSelected(name, permissions?.id);
  const { id = name, extends: parent } = permissions ?? {};
  return {
    active_permission_profile: { id, ...(parent === undefined ? {} : { extends: parent }) },
    sandbox_policy,
  };
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
