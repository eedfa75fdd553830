import type { AskForApproval, SandboxMode, SandboxPolicy } from "../../protocol/types.js";
import type { TrustLevel } from "../project/trust.js";
import type { ConfigBehavior } from "../schema/behavior.js";
import type { ConfigToml } from "../schema/config-toml.js";
import { defaults } from "../schema/defaults.generated.js";
import type { ShellEnvironmentToml } from "../schema/policy.js";
import type { Config, PolicyConfig, ResolveContext } from "./config.js";

/** Resolves sandbox and approval policies. */
export function resolvePolicies(values: ConfigToml, context: ResolveContext): PolicyConfig {
  const sandbox_policy = resolveSandboxPolicy(values, context);
  return {
    approval_policy: resolveApprovalPolicy(values.approval_policy, context),
    approvals_reviewer: values.approvals_reviewer ?? defaults.ConfigToml.approvals_reviewer,
    sandbox_policy,
    policies_are_defaults:
      values.approval_policy === undefined &&
      values.sandbox_mode === undefined &&
      values.default_permissions === undefined,
    shell_environment_policy: resolveShellEnvironment(
      values.shell_environment_policy,
      context.behavior,
    ),
  };
}

/** Context for resolving policies. */
interface PolicyContext {
  trust: TrustLevel | undefined;
  behavior: ConfigBehavior;
  /** Writable directories of this session. */
  writableRoots: readonly string[];
}

/** Resolves the sandbox policy. */
function resolveSandboxPolicy(values: ConfigToml, context: PolicyContext): SandboxPolicy {
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

/**
 * Returns a config with another sandbox policy instead of its own or its permission profile.
 *
 * What the profile denies stays denied.
 */
export async function withSandboxPolicy(config: Config, policy: SandboxPolicy): Promise<Config> {
  const { permissions, ...others } = config;
  if (permissions === undefined) return { ...others, sandbox_policy: policy };
  const { withDenials } = await import("../../protocol/rules-of-policy.js");
  return { ...others, ...withDenials(policy, permissions) };
}

/** Resolves the approval policy. */
function resolveApprovalPolicy(
  configured: AskForApproval | undefined,
  { trust, behavior }: PolicyContext,
): AskForApproval {
  if (configured !== undefined) return configured;
  if (behavior.trustSetsPolicies && trust === "untrusted") return "untrusted";
  return defaults.ConfigToml.approval_policy;
}

/** Default sandbox mode: a trust decision of either kind implies that the user works in the project. */
function defaultMode({ trust, behavior }: PolicyContext): SandboxMode {
  const decided = behavior.trustSetsPolicies && trust !== undefined;
  return decided ? "workspace-write" : defaults.ConfigToml.sandbox_mode;
}

/** Policy for the environment of commands. */
export interface ShellEnvironmentPolicy {
  inherit: "all" | "core" | "none";
  /** Keeps variables with KEY, SECRET or TOKEN in their name. */
  ignore_default_excludes: boolean;
  exclude: readonly string[];
  set: Readonly<Record<string, string>>;
  include_only: readonly string[];
  experimental_use_profile: boolean;
}

/** Fills in the defaults of the policy. */
export function resolveShellEnvironment(
  toml: ShellEnvironmentToml | undefined,
  behavior: ConfigBehavior,
): ShellEnvironmentPolicy {
  return {
    ...defaults.ShellEnvironmentToml,
    set: {},
    ignore_default_excludes: behavior.ignoreDefaultExcludes,
    ...toml,
  };
}
