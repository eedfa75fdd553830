import type { FileRule, PermissionRules } from "../protocol/permission-rules.js";
import {
  boundTo,
  deniedIn,
  nearestPolicy,
  rulesOfPolicy,
  withDenied,
} from "../protocol/rules-of-policy.js";
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
 * A turn cannot lift what the profile of the session denies: neither by another profile, nor by a sandbox
 * policy, nor in another folder. Throws if the profile does not exist.
 */
export async function overriddenPermissions(
  {
    config,
    context,
    parts,
  }: Pick<SessionParts, "config" | "context"> & { parts: Pick<SessionParts, "loadProfile"> },
  { active_permission_profile: profile, sandbox_policy: policy, cwd }: ProfileOverrides,
): Promise<Permissions> {
  const folder = cwd ?? context.cwd;
  const denied = deniedFrom(config, folder);
  if (profile == null && policy != null) {
    const rules = denied.length === 0 ? null : withDenied(rulesOfPolicy(policy), denied);
    return { sandbox_policy: policy, rules };
  }
  const chosen =
    profile == null ? context.permissions : await parts.loadProfile(profile.id, folder);
  if (chosen === undefined) return { sandbox_policy: context.sandbox_policy, rules: null };
  const rules = withDenied(chosen, denied);
  if (rules.id === undefined) return { sandbox_policy: context.sandbox_policy, rules };
  return { sandbox_policy: nearestPolicy(rules, folder), rules };
}

/** Returns what the session denies; in another folder also what is relative to its own. */
function deniedFrom(
  { permissions, cwd }: SessionParts["config"],
  folder: string,
): readonly FileRule[] {
  const denied = deniedIn(permissions);
  return folder === cwd ? denied : [...denied, ...boundTo([cwd], denied)];
}
