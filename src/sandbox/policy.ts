import type { SandboxPolicy } from "../protocol/types.js";

/** Whether a policy is for us to enforce. */
export function needsSandbox(policy: SandboxPolicy): boolean {
  return policy.mode === "read-only" || policy.mode === "workspace-write";
}

/** Whether a policy lets commands use the network. */
export function hasNetwork(policy: SandboxPolicy): boolean {
  if (policy.mode === "workspace-write") return policy.network_access === true;
  if (policy.mode === "external-sandbox") return policy.network_access === "enabled";
  return policy.mode === "danger-full-access";
}
