import type { SandboxPolicy } from "../policy.js";

/** A sandbox policy told apart by `type`, as versions from the end of 2025 on write it. */
export type TypedSandboxPolicy = { type: SandboxPolicy["mode"] } & Record<string, unknown>;

/** Writes a sandbox policy with `mode`: every setting said, an empty list of roots left out. */
export function toModePolicy(policy: SandboxPolicy): SandboxPolicy {
  if (policy.mode !== "workspace-write") return policy;
  const roots = policy.writable_roots ?? [];
  return {
    mode: policy.mode,
    ...(roots.length > 0 && { writable_roots: roots }),
    network_access: policy.network_access ?? false,
    exclude_tmpdir_env_var: policy.exclude_tmpdir_env_var ?? false,
    exclude_slash_tmp: policy.exclude_slash_tmp ?? false,
  };
}

/** Writes the same with `type`. */
export function toTypePolicy(policy: SandboxPolicy): TypedSandboxPolicy {
  const { mode, ...rest } = toModePolicy(policy);
  return { type: mode, ...rest };
}
