import type { SandboxPolicy } from "../protocol/types.js";

/** What the user has granted on top of a policy. */
export interface Grants {
  /** Real paths; one that has become a link since opens nothing. */
  writable: readonly string[];
  network: boolean;
}

/** A policy as it is enforced: with what the user has granted on top of it. */
export type EnforcedPolicy = SandboxPolicy & { granted?: Grants };

/** Whether a policy is for us to enforce. */
export function needsSandbox(policy: SandboxPolicy): boolean {
  return policy.mode === "read-only" || policy.mode === "workspace-write";
}

/** Whether a policy lets commands use the network. */
export function hasNetwork(policy: EnforcedPolicy): boolean {
  if (needsSandbox(policy) && policy.granted?.network === true) return true;
  if (policy.mode === "workspace-write") return policy.network_access === true;
  if (policy.mode === "external-sandbox") return policy.network_access === "enabled";
  return policy.mode === "danger-full-access";
}
