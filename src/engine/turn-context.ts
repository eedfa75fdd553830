import type { Era, ModelBehavior } from "../compat/index.js";
import type { Config } from "../config/index.js";
import { type ModelFamily, modelFamily } from "../model/index.js";
import type { PermissionRules } from "../protocol/permission-rules.js";
import type {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  CollaborationMode,
  OverrideTurnContextOp,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxPolicy,
  TurnContextItem,
  Verbosity,
} from "../protocol/types.js";
import type { ToolTurn } from "../tools/index.js";

/** The settings under which turns run, until something changes them. */
export interface TurnContext {
  cwd: string;
  approval_policy: AskForApproval;
  approvals_reviewer: ApprovalsReviewer;
  /** With `permissions`, the policy nearest to them. */
  sandbox_policy: SandboxPolicy;
  /** Rules of the permission profile; absent for a plain sandbox mode. */
  permissions?: PermissionRules;
  model: string;
  family: ModelFamily;
  effort: ReasoningEffort | undefined;
  summary: ReasoningSummary;
  verbosity: Verbosity | undefined;
  personality: Personality | undefined;
  collaboration_mode: CollaborationMode | undefined;
  /** A review works with fewer tools. */
  isReview?: boolean;
  /** Nothing is changed: no rule, grant or approval widens the sandbox. */
  isConfined?: boolean;
}

/** The settings that a session starts with. */
export function toTurnContext(config: Config, era: Era): TurnContext {
  const family = modelFamily(config.model, era.model.catalogue);
  const isByFamily = era.model.requestForm === "2026-11";
  const isChosen = !isByFamily || config.model_reasoning_summary !== "auto";
  return {
    cwd: config.cwd,
    approval_policy: config.approval_policy,
    approvals_reviewer: currentReviewer(config.approvals_reviewer),
    sandbox_policy: config.sandbox_policy,
    ...(config.permissions && { permissions: config.permissions }),
    model: config.model,
    family,
    effort: config.model_reasoning_effort,
    summary: isChosen ? config.model_reasoning_summary : (family.defaultSummary ?? "auto"),
    verbosity: config.model_verbosity,
    personality: config.personality,
    collaboration_mode: undefined,
  };
}

/** Returns the warning for an unknown model. */
export function unknownModelWarning(model: string, { model: dialect }: Era): string | undefined {
  if (modelFamily(model, dialect.catalogue).known) return undefined;
  return `Model metadata for \`${model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`;
}

/** Settings that a submission may change; omitted ones stay, and `effort: null` clears. */
export interface TurnOverrides {
  cwd?: string | null;
  approval_policy?: AskForApproval | null;
  approvals_reviewer?: ApprovalsReviewer | null;
  sandbox_policy?: SandboxPolicy | null;
  /** Rules that go with `sandbox_policy`; null removes them. */
  rules?: PermissionRules | null;
  model?: string | null;
  effort?: ReasoningEffort | null;
  summary?: ReasoningSummary | null;
  personality?: Personality | null;
  collaboration_mode?: CollaborationMode | null;
}

/** Fields of an op that select other permissions. */
export type ProfileOverrides = Pick<
  OverrideTurnContextOp,
  "active_permission_profile" | "sandbox_policy" | "cwd"
>;

/** Returns the context with overrides applied: itself if they change nothing. */
export function overrideTurnContext(
  context: TurnContext,
  overrides: TurnOverrides,
  behavior: ModelBehavior,
): TurnContext {
  const mode = overrides.collaboration_mode ?? undefined;
  const model = mode?.settings?.model ?? overrides.model ?? context.model;
  const { permissions, ...others } = context;
  const rules = overrides.rules === undefined ? permissions : overrides.rules;
  const changed = {
    ...others,
    ...(rules == null ? {} : { permissions: rules }),
    cwd: overrides.cwd ?? context.cwd,
    approval_policy: overrides.approval_policy ?? context.approval_policy,
    approvals_reviewer: currentReviewer(overrides.approvals_reviewer ?? context.approvals_reviewer),
    sandbox_policy: overrides.sandbox_policy ?? context.sandbox_policy,
    model,
    family: model === context.model ? context.family : modelFamily(model, behavior.catalogue),
    effort: effortOf(context, overrides),
    summary: overrides.summary ?? context.summary,
    personality: overrides.personality ?? context.personality,
    collaboration_mode: overrides.collaboration_mode ?? context.collaboration_mode,
  };
  const names = Object.keys(changed) as (keyof TurnContext)[];
  const isSame =
    permissions === changed.permissions && names.every((name) => context[name] === changed[name]);
  return isSame ? context : changed;
}

/** A reviewer by the name it has now. */
function currentReviewer(reviewer: ApprovalsReviewer): ApprovalsReviewer {
  return reviewer === "guardian_subagent" ? "auto_review" : reviewer;
}

/** Effort of the mode, else of the override; null clears, omitted keeps. */
function effortOf(context: TurnContext, overrides: TurnOverrides): ReasoningEffort | undefined {
  const ofMode = overrides.collaboration_mode?.settings?.reasoning_effort;
  const effort = ofMode ?? overrides.effort;
  return effort === undefined ? context.effort : (effort ?? undefined);
}

/**
 * Returns the settings under which a turn works: in plan mode nothing may be changed.
 *
 * Commands run in a read-only sandbox without the network, and no approval, grant or rule widens it. The
 * settings of the session stay as they are and hold again after plan mode. Until 0.166 plan mode was only
 * an instruction.
 */
export function workingContext(context: TurnContext, { since }: Pick<Era, "since">): TurnContext {
  if (context.collaboration_mode?.mode !== "plan" || !since.current) return context;
  const { permissions, approval_policy } = context;
  return {
    ...context,
    // There is nothing to approve, except for users who approve every command.
    approval_policy: approval_policy === "untrusted" ? "untrusted" : "never",
    sandbox_policy: { mode: "read-only" },
    ...(permissions && { permissions: readOnlyRules(permissions) }),
    isConfined: true,
  };
}

/** Returns rules without writing and network; what cannot be read stays so. */
export function readOnlyRules({ id: _, base, files, ...others }: PermissionRules): PermissionRules {
  const root = { place: { type: "special", name: "root" }, access: "read" } as const;
  const readable = files.map((rule) =>
    rule.access === "write" ? { ...rule, access: "read" as const } : rule,
  );
  return {
    ...others,
    base: "restricted",
    files: base === "unrestricted" ? [root, ...readable] : readable,
    network: { enabled: false },
  };
}

/** Returns the name of the permission profile as a field of events and log lines; empty if there is none. */
export function activeProfileOf({ permissions }: Pick<TurnContext, "permissions">): {
  active_permission_profile?: ActivePermissionProfile;
} {
  if (permissions?.id === undefined) return {};
  const { id, extends: parent } = permissions;
  return {
    active_permission_profile: { id, ...(parent === undefined ? {} : { extends: parent }) },
  };
}

/** Returns the settings as logged. */
export function toTurnContextItem(context: TurnContext): TurnContextItem {
  return {
    cwd: context.cwd,
    approval_policy: context.approval_policy,
    // Absent means the user, as in the files of versions that had no choice.
    ...(context.approvals_reviewer === "user"
      ? {}
      : { approvals_reviewer: context.approvals_reviewer }),
    sandbox_policy: context.sandbox_policy,
    ...activeProfileOf(context),
    model: context.model,
    ...(context.effort === undefined ? {} : { effort: context.effort }),
    summary: context.summary,
  };
}

/** Returns the generation of the tools of helper agents that the model is offered; undefined for none. */
export function agentGeneration(
  { features }: Pick<Config, "features">,
  { since }: Pick<Era, "since">,
  { family, isReview }: Pick<ToolTurn, "family" | "isReview">,
): "v1" | "v2" | undefined {
  if (!since["0.166"] || isReview === true || features.get("multi_agent") === false) {
    return undefined;
  }
  const isSecond = features.get("multi_agent_v2");
  if (isSecond === true) return "v2";
  if (isSecond === false && family.multiAgent === "v2") return "v1";
  if (family.multiAgent !== undefined) return family.multiAgent;
  // 0.166 offers them to every model; providers of other models may reject a group of tools.
  return (features.get("multi_agent") ?? !since.current) ? "v1" : undefined;
}
