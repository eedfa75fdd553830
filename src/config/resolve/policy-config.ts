import type { PolicyConfig } from "../config.js";
import { defaults } from "../defaults.generated.js";
import type { ConfigToml } from "../schema/config-toml.js";
import type { ResolveContext } from "./context.js";
import { resolveApprovalPolicy, resolveSandboxPolicy } from "./policies.js";
import { resolveShellEnvironment } from "./shell-environment.js";

/** What commands may do, and when the user is asked. */
export function resolvePolicies(values: ConfigToml, context: ResolveContext): PolicyConfig {
  const sandbox_policy = resolveSandboxPolicy(values, context);
  return {
    approval_policy: resolveApprovalPolicy(values.approval_policy, context),
    approvals_reviewer: values.approvals_reviewer ?? defaults.ConfigToml.approvals_reviewer,
    sandbox_policy,
    policies_are_defaults:
      values.approval_policy === undefined && values.sandbox_mode === undefined,
    shell_environment_policy: resolveShellEnvironment(
      values.shell_environment_policy,
      context.dialect,
    ),
  };
}
