import type { AskForApproval, SandboxMode, SandboxPolicy } from "../../protocol/types.js";
import { defaults } from "../defaults.generated.js";
import type { ConfigDialect } from "../dialect.js";
import type { TrustLevel } from "../project/trust.js";
import type { ConfigToml } from "../schema/config-toml.js";

/** What decides about policies besides the settings. */
export interface PolicyContext {
  trust: TrustLevel | undefined;
  dialect: ConfigDialect;
  /** Folders that can be written for this session only. */
  writableRoots: readonly string[];
}

/** What commands may do. */
export function resolveSandboxPolicy(values: ConfigToml, context: PolicyContext): SandboxPolicy {
  const mode = values.sandbox_mode ?? defaultMode(context);
  if (mode !== "workspace-write") return { mode };
  const settings = { ...defaults.WorkspaceWriteToml, ...values.sandbox_workspace_write };
  return {
    mode,
    writable_roots: [...new Set([...settings.writable_roots, ...context.writableRoots])],
    network_access: settings.network_access,
    exclude_tmpdir_env_var: settings.exclude_tmpdir_env_var,
    exclude_slash_tmp: settings.exclude_slash_tmp,
  };
}

/** When the user is asked. */
export function resolveApprovalPolicy(
  configured: AskForApproval | undefined,
  { trust, dialect }: PolicyContext,
): AskForApproval {
  if (configured !== undefined) return configured;
  if (dialect.trustSetsPolicies && trust === "untrusted") return "untrusted";
  return defaults.ConfigToml.approval_policy;
}

/** Who has decided about a project, either way, wants to work in it; who trusts it not is asked more. */
function defaultMode({ trust, dialect }: PolicyContext): SandboxMode {
  const decided = dialect.trustSetsPolicies && trust !== undefined;
  return decided ? "workspace-write" : defaults.ConfigToml.sandbox_mode;
}
