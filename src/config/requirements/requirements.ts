import { CodexError } from "../../protocol/error.js";
import type { PermissionRules } from "../../protocol/permission-rules.js";
import { isUnlimited } from "../../protocol/rules-of-policy.js";
import type { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "../../protocol/types.js";
import type { Profiles } from "../permissions/resolve-profile.js";
import type { McpServer } from "../resolve/mcp-servers.js";
import type { ConfigToml } from "../schema/config-toml.js";
import type { RequirementsToml } from "../schema/requirements.js";
import { newTable, putAt, type Table } from "../toml/table.js";
import { contradictions, type FixedValues, fixedTable } from "./fixed-values.js";
import { fallbackWarning, Limit, wordFor } from "./limit.js";
import { isListed } from "./mcp-servers.js";
import { type ProfileLimits, profileOfMode, requiredProfiles } from "./permissions.js";

/** Settings that a client, an op or an option asks for. */
export interface AskedPolicies {
  approval_policy?: AskForApproval | null | undefined;
  approvals_reviewer?: ApprovalsReviewer | null | undefined;
  sandbox_policy?: SandboxPolicy | null | undefined;
  active_permission_profile?: { id: string } | null | undefined;
  /** Rules that the permissions result in. */
  rules?: PermissionRules | null | undefined;
}

type WebSearchMode = NonNullable<ConfigToml["web_search"]>;
type Servers = ReadonlyMap<string, McpServer>;

/** The part of a config that requirements limit. */
export interface LimitedConfig {
  approval_policy: AskForApproval;
  approvals_reviewer: ApprovalsReviewer;
  sandbox_policy: SandboxPolicy;
  permissions?: PermissionRules;
  web_search: WebSearchMode | undefined;
  mcp_servers: Servers;
  forced_login_method: "chatgpt" | "api" | undefined;
  developer_instructions: string | undefined;
  requirements: Requirements | undefined;
  constrained: readonly string[];
}

/** A rule for commands with a given prefix, which no other rule loosens. */
export interface RequiredRule {
  /** Accepted words for each position. */
  pattern: readonly (readonly string[])[];
  decision: "prompt" | "forbidden";
  justification?: string;
}

/** Contents of the administrator's files, checked. */
export interface RequirementsContent extends FixedValues {
  /** Policies of managed_config.toml, and its path. */
  managed: Omit<AskedPolicies, "sandbox_policy"> & {
    sandbox_mode?: SandboxPolicy["mode"] | undefined;
    file: string;
  };
  rules: readonly RequiredRule[];
  /** Returns the position of a key as `file:line`. */
  placeOf(path: readonly string[]): string;
  /** Text of requirements.toml. */
  text: string;
}

/**
 * Restrictions of the administrator.
 *
 * They are applied after everything else: `constrain` limits a loaded config, and `assertAllowed`
 * rejects later requests for more.
 */
export class Requirements implements ProfileLimits {
  readonly values: RequirementsToml;
  readonly file: string;
  /** Rules for commands; they count in addition to those of the user. */
  readonly rules: readonly RequiredRule[];
  readonly approval = new Limit<AskForApproval>("approval_policy", [
    "untrusted",
    "on-request",
    "on-failure",
    "never",
  ]);
  readonly sandbox = new Limit<SandboxPolicy["mode"]>("sandbox_mode", [
    "read-only",
    "workspace-write",
    "external-sandbox",
    "danger-full-access",
  ]);
  readonly reviewer = new Limit<ApprovalsReviewer>("approvals_reviewer", ["user", "auto_review"]);
  readonly #search = new Limit<WebSearchMode>("web_search_mode", ["disabled", "cached", "live"]);
  readonly #fixed: FixedValues;
  /** Returns the position of a key as `file:line`. */
  readonly placeOf: RequirementsContent["placeOf"];
  /** Text of requirements.toml. */
  readonly text: string;
  readonly profiles: Profiles;
  readonly defaultProfile: string | undefined;

  constructor({ values, file, managed, features, rules, placeOf, text }: RequirementsContent) {
    this.values = values;
    this.file = file;
    this.rules = rules;
    this.placeOf = placeOf;
    this.text = text;
    this.profiles = requiredProfiles(values);
    this.defaultProfile = values.default_permissions;
    this.#fixed = { values, file, features };
    const { approval_policy, approvals_reviewer, sandbox_mode } = managed;
    this.approval.add(values.allowed_approval_policies, file);
    this.approval.add(approval_policy == null ? undefined : [approval_policy], managed.file);
    this.sandbox.add(values.allowed_sandbox_modes, file);
    // Nothing is stricter than read-only, so a mode of the older file permits that too.
    this.sandbox.add(sandbox_mode && ["read-only", sandbox_mode], managed.file);
    this.reviewer.add(values.allowed_approvals_reviewers?.map(currentReviewer), file);
    if (approvals_reviewer != null) {
      this.reviewer.add(["user", currentReviewer(approvals_reviewer)], managed.file);
    }
    const modes = values.allowed_web_search_modes;
    this.#search.add(modes && ["disabled", ...modes.filter((mode) => mode !== "indexed")], file);
    this.#search.add(searchOfFeatures(features), file);
  }

  /** Throws if a request asks for more than is allowed; `door` begins the message. */
  assertAllowed(asked: AskedPolicies, door = usualDoor): void {
    const reason = this.#refusal(asked);
    if (reason !== undefined) throw new CodexError("invalid_request", `${door}: ${reason}`);
  }

  /** Throws if another profile took the place of one that a request selects. */
  assertSelected(name: string, id: string | undefined, door?: string): void {
    if (id === name) return;
    this.assertAllowed({ active_permission_profile: { id: name } }, door);
    const allowed = (this.sandbox.values ?? []).map(wordFor).join(", ");
    const reason =
      `invalid value for \`permission_profile\`: \`${name}\` exceeds the allowed sandbox modes ` +
      `[${allowed}] (set by ${this.file})`;
    throw new CodexError("invalid_request", `${door ?? usualDoor}: ${reason}`);
  }

  /** Returns true if a request asks for no more than is allowed. */
  isAllowed(asked: AskedPolicies): boolean {
    return this.#refusal(asked) === undefined;
  }

  #refusal(asked: AskedPolicies): string | undefined {
    const { approval_policy, approvals_reviewer, sandbox_policy } = asked;
    const refusedProfile = this.#refusedPermissions(asked);
    if (refusedProfile !== undefined) return refusedProfile;
    const refused =
      (approval_policy == null ? undefined : this.approval.refuse(approval_policy)) ??
      (approvals_reviewer == null
        ? undefined
        : this.reviewer.refuse(currentReviewer(approvals_reviewer))) ??
      (sandbox_policy == null ? undefined : this.sandbox.refuse(sandbox_policy.mode));
    return refused?.reason;
  }

  /** A policy stands for the built-in profile of its mode, unless it comes from a profile. */
  #refusedPermissions(asked: AskedPolicies): string | undefined {
    const { sandbox_policy, active_permission_profile: profile, rules } = asked;
    const id = profile?.id ?? rules?.id;
    if (id !== undefined) return this.refusedProfile(id);
    return sandbox_policy == null
      ? undefined
      : this.refusedProfile(profileOfMode(sandbox_policy.mode));
  }

  /** Features with a fixed value. */
  get features(): ReadonlyMap<string, boolean> {
    return this.#fixed.features;
  }

  /** Returns true if a permission profile must be selected, or may not be. */
  get limitsPermissions(): boolean {
    const { allowed_permission_profiles, default_permissions, permissions } = this.values;
    return (allowed_permission_profiles ?? default_permissions ?? permissions) !== undefined;
  }

  refusedProfile(name: string): string | undefined {
    const { allowed_permission_profiles: allowed } = this.values;
    if (allowed === undefined || allowed[name] === true) return undefined;
    return (
      `invalid value for \`permission_profile\`: \`${name}\` is not in the allowed set ` +
      `[${permittedIn(allowed).join(", ")}] (set by ${this.file})`
    );
  }

  /** The strictest permitted profile, unless the administrator names one. */
  get fallbackProfile(): string {
    const permitted = permittedIn(this.values.allowed_permission_profiles ?? {});
    const builtIn = [":read-only", ":workspace"].find((name) => permitted.includes(name));
    return this.defaultProfile ?? builtIn ?? permitted[0] ?? ":read-only";
  }

  /** Values that replace those of all layers, before they are resolved. */
  fixedValues(): Table {
    return fixedTable(this.#fixed);
  }

  /** Throws if changes of the user's file contradict a fixed value. */
  assertWritable(changes: readonly { path: readonly string[]; value: unknown }[]): void {
    const values = newTable();
    for (const { path, value } of changes) putAt(values, path, value ?? undefined);
    const [refused] = contradictions(values, this.#fixed);
    if (refused === undefined) return;
    throw new CodexError("config", refused, { data: { reason: "requirements" } });
  }

  /**
   * Limits a config with everything else applied; `merged` are its values without the fixed ones.
   *
   * Throws if the result could not do anything useful.
   */
  constrain<Config extends LimitedConfig>(config: Config, merged: Table): Config {
    const constrained = contradictions(merged, this.#fixed).map(
      (reason) => `A configured value is disallowed by requirements and has no effect: ${reason}`,
    );
    const settle = <Value extends string>(limit: Limit<Value>, name: string, value: Value) => {
      const refused = limit.refuse(value);
      if (refused === undefined) return value;
      constrained.push(fallbackWarning(name, refused));
      return refused.fallback;
    };
    const approval_policy = settle(this.approval, "approval_policy", config.approval_policy);
    const asked = config.sandbox_policy;
    const wanted = isUnlimited(config.permissions) ? "danger-full-access" : asked.mode;
    const mode = settle(this.sandbox, "sandbox_mode", wanted);
    if (wanted === "danger-full-access" && mode !== wanted && approval_policy === "never") {
      throw new CodexError("config", neverReadOnly, { data: { reason: "requirements" } });
    }
    const search = config.web_search && this.#search.refuse(config.web_search);
    const web_search = config.web_search && this.webSearch(config.web_search);
    if (search && web_search) {
      constrained.push(fallbackWarning("web_search_mode", { ...search, fallback: web_search }));
    }
    const { additional_developer_instructions: more } = this.values;
    return {
      ...config,
      approval_policy,
      approvals_reviewer: settle(
        this.reviewer,
        "approvals_reviewer",
        currentReviewer(config.approvals_reviewer),
      ),
      // The only stricter mode is the strictest, which has no details.
      sandbox_policy: mode === wanted ? asked : { mode: "read-only" },
      web_search,
      mcp_servers: this.#limitServers(config.mcp_servers, constrained),
      forced_login_method: this.#loginMethod(config, constrained),
      developer_instructions: more
        ? [config.developer_instructions, more].filter(Boolean).join("\n\n")
        : config.developer_instructions,
      requirements: this,
      constrained,
    };
  }

  /** Returns the web search mode of a turn, limited: cached pages instead of live ones, or none. */
  webSearch(mode: WebSearchMode): WebSearchMode {
    if (this.#search.refuse(mode) === undefined) return mode;
    const isCachedEnough = mode === "live" && this.#search.refuse("cached") === undefined;
    return isCachedEnough ? "cached" : "disabled";
  }

  #limitServers(servers: Servers, warnings: string[]): Servers {
    const { mcp_servers: listed } = this.values;
    if (listed === undefined) return servers;
    return new Map(
      [...servers].map(([name, server]) => {
        if (!server.enabled || isListed(server, listed)) return [name, server];
        warnings.push(
          `MCP server \`${name}\` is not started: \`mcp_servers\` does not list it with this ` +
            `command or URL (set by ${this.file})`,
        );
        return [name, { ...server, enabled: false, required: false }];
      }),
    );
  }

  #loginMethod({ forced_login_method: own }: LimitedConfig, warnings: string[]) {
    const allowed = this.values.allowed_login_methods;
    if (allowed === undefined) return own;
    if (own === undefined) return allowed.length === 1 ? allowed[0] : own;
    if (allowed.includes(own)) return own;
    const fallback = allowed[0] ?? own;
    const reason = `\`${own}\` is not in the allowed set [${allowed.join(", ")}] (set by ${this.file})`;
    warnings.push(fallbackWarning("forced_login_method", { fallback, reason }));
    return fallback;
  }
}

const usualDoor = "invalid thread settings override";

function permittedIn(allowed: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(allowed).filter((name) => allowed[name] === true);
}

const neverReadOnly =
  '`approval_policy = "never"` cannot be used because requirements do not allow ' +
  '`sandbox_mode = "danger-full-access"`: commands could only read, and nobody could approve more. ' +
  "Choose another `approval_policy`, such as `on-request`, or an allowed sandbox mode.";

/** A fixed feature for web search restricts the mode, which has a key of its own. */
function searchOfFeatures(features: ReadonlyMap<string, boolean>): WebSearchMode[] | undefined {
  if (features.get("web_search_request") !== false) return undefined;
  return features.get("web_search_cached") === false ? ["disabled"] : ["disabled", "cached"];
}

function currentReviewer(reviewer: ApprovalsReviewer): ApprovalsReviewer {
  return reviewer === "guardian_subagent" ? "auto_review" : reviewer;
}
