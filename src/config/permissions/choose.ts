import { CodexError } from "../../protocol/error.js";
import type { PermissionRules } from "../../protocol/permission-rules.js";
import {
  boundTo,
  deniedIn,
  nearestPolicy,
  rulesOfPolicy,
  withDenied,
} from "../../protocol/rules-of-policy.js";
import type { SandboxMode, SandboxPolicy } from "../../protocol/types.js";
import { mergeTables } from "../layers/layer.js";
import { type ProfileLimits, profileOfMode } from "../requirements/permissions.js";
import { isTable, type Table } from "../toml/table.js";
import { intersectRules, type PlacePaths } from "./intersect.js";
import {
  checkProfiles,
  type ProfileContext,
  type Profiles,
  resolveProfile,
} from "./resolve-profile.js";

/** Values of one source. */
export interface PermissionSource {
  values: Table;
  /** The source is a project: it may only restrict. */
  isProject: boolean;
}

/** Returns the warning about a profile that falls back; the reference's text. */
export function profileFallback(from: string, to: string): string {
  return (
    "Configured value for `permission_profile` is disallowed by requirements; falling back from " +
    `\`${from}\` to required value \`${to}\`.`
  );
}

/** Permissions of a session; `permissions` is absent if a plain sandbox mode applies. */
export interface SessionPermissions {
  permissions?: PermissionRules;
  sandbox_policy: SandboxPolicy;
}

/** Context for selecting permissions. */
export interface ChoiceContext extends ProfileContext, PlacePaths {
  /** Directories that the user added to the workspace of this session. */
  addedRoots: readonly string[];
  /** Directory of the user's checkout that a session in a worktree works for. */
  originOfWorktree?: string | undefined;
  /** Limits of the administrator. */
  limits?: ProfileLimits | undefined;
  warn(message: string): void;
  /** Warns of a profile that the administrator refuses. */
  constrain(message: string): void;
}

/**
 * Selected permissions of the user and of projects.
 *
 * The source with the highest precedence that has `default_permissions` or `sandbox_mode` decides; within one
 * source the profile does. Denials of a profile hold even if a sandbox mode overrides it.
 */
export class PermissionChoice {
  readonly #context: ChoiceContext;
  /** Profile of the user that decides, unless a mode does. */
  #own: PermissionRules | undefined;
  /** Profile of the user that a sandbox mode overrides. */
  #overridden: PermissionRules | undefined;
  /** Profile of a project that the user selected by its name. */
  #selected: PermissionRules | undefined;
  /** All profiles by name. */
  readonly #all: Profiles;
  /** The user has selected a sandbox mode. */
  readonly #hasMode: boolean;
  /** Profiles that projects selected, and whether the user's selection overrides each. */
  readonly #ofProjects: { rules: PermissionRules; isOverridden: boolean }[] = [];

  /** `sources` are in ascending precedence; throws if a profile has a mistake or does not exist. */
  constructor(sources: readonly PermissionSource[], context: ChoiceContext) {
    this.#context = context;
    const ofUser = profilesIn(sources.filter(({ isProject }) => !isProject));
    const own = { ...ofUser, ...context.limits?.profiles };
    const all = { ...profilesIn(sources.filter(({ isProject }) => isProject)), ...own };
    this.#all = all;
    checkProfiles(all, context);
    let hasMode = false;
    for (const { values, isProject } of sources.toReversed()) {
      const { default_permissions: name, sandbox_mode } = values;
      const rules = typeof name === "string" ? resolveProfile(name, all, context) : undefined;
      if (isProject) {
        const isOverridden = hasMode || this.#own !== undefined || this.#selected !== undefined;
        // A built-in profile is one of `projectModes`.
        if (rules?.id?.startsWith(":") === false) this.#ofProjects.push({ rules, isOverridden });
      } else if (rules !== undefined && this.#own === undefined && this.#overridden === undefined) {
        if (typeof name === "string" && !name.startsWith(":") && !Object.hasOwn(own, name)) {
          this.#selected ??= rules;
        } else if (hasMode) this.#overridden = rules;
        else this.#own = rules;
      }
      if (!isProject) hasMode ||= sandbox_mode !== undefined;
    }
    const isSelected = hasMode || (this.#own ?? this.#overridden ?? this.#selected) !== undefined;
    const isRequired = context.limits?.defaultProfile !== undefined;
    if (Object.keys(ofUser).length > 0 && !isSelected && !isRequired) {
      throw notSelected(own, context);
    }
    this.#hasMode = hasMode;
  }

  /** Sandbox mode nearest to the user's profile, which a project must not exceed. */
  get ownMode(): SandboxMode | undefined {
    const mode = this.#own && nearestPolicy(this.#own, this.#context.cwd).mode;
    return mode === "external-sandbox" ? undefined : mode;
  }

  /**
   * Returns the permissions that apply, given the policy of the sandbox mode.
   *
   * `projectModes` are the sandbox modes that projects set, which also restrict the user's profile.
   */
  apply(policy: SandboxPolicy, projectModes: readonly SandboxMode[]): SessionPermissions {
    const own = this.#permitted(policy);
    let rules = own ?? this.#keptDenials(policy);
    const restrictBy = (other: PermissionRules) => {
      rules = intersectRules(rules ?? rulesOfPolicy(policy), other, this.#context);
    };
    if (own !== undefined) {
      for (const mode of projectModes) restrictBy(rulesOfPolicy({ mode }));
    }
    for (const { rules: other, isOverridden } of this.#ofProjects) {
      if (!isOverridden) restrictBy(other);
      else if (deniedIn(other).length > 0) {
        rules = withDenied(rules ?? rulesOfPolicy(policy), deniedIn(other));
      }
    }
    if (this.#selected !== undefined) {
      restrictBy(this.#selected);
      if (rules !== undefined && own === undefined) {
        rules = { ...rules, ...nameOf(this.#selected) };
      }
    }
    if (rules === undefined) return { sandbox_policy: policy };
    const { cwd, addedRoots, originOfWorktree: origin } = this.#context;
    const workspaceRoots = [...new Set([...rules.workspaceRoots, ...addedRoots])];
    const inOrigin = origin === undefined ? [] : boundTo([origin], deniedIn(rules));
    const permissions = withDenied({ ...rules, workspaceRoots }, inOrigin);
    if (rules.id === undefined) return { permissions, sandbox_policy: policy };
    return { permissions, sandbox_policy: nearestPolicy(permissions, cwd) };
  }

  /** Returns the profile that decides: the user's, or the administrator's instead. */
  #permitted(policy: SandboxPolicy): PermissionRules | undefined {
    const { limits, constrain } = this.#context;
    if (limits === undefined) return this.#own;
    const selected =
      this.#own?.id ??
      this.#selected?.id ??
      (this.#hasMode ? profileOfMode(policy.mode) : undefined);
    const asked = selected ?? limits.defaultProfile ?? profileOfMode(policy.mode);
    const isRefused = limits.refusedProfile(asked) !== undefined;
    const isOwn = selected !== undefined || asked !== limits.defaultProfile;
    if (!isRefused && isOwn) return this.#own;
    const name = isRefused ? limits.fallbackProfile : asked;
    if (isRefused) constrain(profileFallback(asked, name));
    const rules = resolveProfile(name, this.#all, this.#context);
    return withDenied(rules, deniedIn(this.#own ?? this.#overridden));
  }

  /** Returns the rules of a policy with the denials of the profile that it overrides. */
  #keptDenials(policy: SandboxPolicy): PermissionRules | undefined {
    const denied = deniedIn(this.#overridden);
    if (denied.length === 0) return undefined;
    this.#context.warn(
      `\`sandbox_mode\` = "${policy.mode}" overrides the permission profile ` +
        `\`${this.#overridden?.id}\`, but what it denies stays denied; to lift that, select another profile`,
    );
    return withDenied(rulesOfPolicy(policy), denied);
  }
}

function nameOf({ id, extends: parent }: PermissionRules): Pick<PermissionRules, "id" | "extends"> {
  return {
    ...(id === undefined ? {} : { id }),
    ...(parent === undefined ? {} : { extends: parent }),
  };
}

function notSelected(own: Profiles, { placeOf }: ProfileContext): CodexError {
  const names = Object.keys(own).join(", ");
  const message =
    `${placeOf(["permissions"])}: \`permissions\` defines profiles, but \`default_permissions\` selects ` +
    `none: set it to one of ${names}, :read-only, :workspace, :danger-full-access`;
  return new CodexError("config", message, {
    data: { reason: "permissions", key: ["default_permissions"] },
  });
}

function profilesIn(sources: readonly PermissionSource[]): Profiles {
  const { permissions } = mergeTables(sources.map(({ values }) => values));
  return (isTable(permissions) ? permissions : {}) as Profiles;
}
