import type { PolicyConfig } from "../config.js";
import { defaults } from "../defaults.generated.js";
import type { ConfigToml } from "../schema/config-toml.js";
import type { ResolveContext } from "./context.js";
import { resolveApprovalPolicy, resolveSandboxPolicy } from "./policies.js";
import { resolveShellEnvironment } from "./shell-environment.js";

/** What commands may do, and when the user is asked. */
export function resolvePolicies(values: ConfigToml, context: ResolveContext): PolicyConfig {
  const sandbox_policy = resolveSandboxPolicy(values, context);
  const sandboxed = sandbox_policy.mode !== "danger-full-access";
  const configured = (sandboxed ? values : context.ownValues).approval_policy;
  if (configured !== values.approval_policy) {
    const place = context.placeOf(["approval_policy"]);
    context.warn(`${place}: a project cannot set \`approval_policy\` where no sandbox is used`);
  }
  return {
    approval_policy: resolveApprovalPolicy(configured, context),
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
