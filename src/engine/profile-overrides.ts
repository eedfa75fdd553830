import type { PermissionRules } from "../protocol/permission-rules.js";
import { deniedIn, nearestPolicy, withDenials, withDenied } from "../protocol/rules-of-policy.js";
import type { SandboxPolicy } from "../protocol/types.js";
import type { SessionParts } from "./parts.js";
import type { ProfileOverrides } from "./turn-context.js";

/** Permissions that replace those of a turn context. */
interface Permissions {
  sandbox_policy: SandboxPolicy;
  /** Null: the policy alone decides. */
  rules: PermissionRules | null;
}

/**
 * Returns the permissions after overrides of a turn.
 *
 * A turn cannot lift what the profile of the session denies: neither by another profile nor by a sandbox
 * policy. Throws if the profile does not exist.
 */
export async function overriddenPermissions(
  {
    config,
    context,
    parts,
  }: Pick<SessionParts, "config" | "context"> & { parts: Pick<SessionParts, "loadProfile"> },
  { active_permission_profile: profile, sandbox_policy: policy, cwd }: ProfileOverrides,
): Promise<Permissions> {
  if (profile == null && policy != null) {
    const { permissions, sandbox_policy } = withDenials(policy, config.permissions);
    return { sandbox_policy, rules: permissions ?? null };
  }
  const folder = cwd ?? context.cwd;
  const chosen =
    profile == null ? context.permissions : await parts.loadProfile(profile.id, folder);
  if (chosen === undefined) return { sandbox_policy: context.sandbox_policy, rules: null };
  const rules = withDenied(chosen, deniedIn(config.permissions));
  if (rules.id === undefined) return { sandbox_policy: context.sandbox_policy, rules };
  return { sandbox_policy: nearestPolicy(rules, folder), rules };
}
