import type {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  CollaborationMode,
  Op,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxPolicy,
  SessionConfiguredEvent,
} from "../../protocol/types.js";

/** Settings of a thread that apply from its next turn on. */
export interface Settings {
  model: string;
  provider: string;
  cwd: string;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandboxPolicy: SandboxPolicy;
  permissionProfile: ActivePermissionProfile | undefined;
  effort: ReasoningEffort | undefined;
  summary: ReasoningSummary | undefined;
  personality: Personality | undefined;
  collaborationMode: CollaborationMode | undefined;
}

/** Returns the settings that a thread starts with. */
export function settingsOf(configured: SessionConfiguredEvent): Settings {
  const { model_provider_id = "", approval_policy = "on-request", cwd = "" } = configured;
  return {
    model: configured.model,
    provider: model_provider_id,
    cwd,
    approvalPolicy: approval_policy,
    approvalsReviewer: configured.approvals_reviewer ?? "user",
    sandboxPolicy: configured.sandbox_policy ?? { mode: "read-only" },
    permissionProfile: configured.active_permission_profile,
    effort: configured.reasoning_effort ?? undefined,
    summary: configured.reasoning_summary,
    personality: configured.personality,
    collaborationMode: undefined,
  };
}

/**
 * Returns the settings after an op, as the engine applies it; the same object if nothing changes.
 */
export function settingsAfter(settings: Settings, op: Op): Settings {
  if (op.type !== "user_turn" && op.type !== "override_turn_context") return settings;
  const mode = op.collaboration_mode;
  const changed: Settings = {
    ...settings,
    model: mode?.settings?.model ?? op.model ?? settings.model,
    cwd: op.cwd ?? settings.cwd,
    approvalPolicy: op.approval_policy ?? settings.approvalPolicy,
    approvalsReviewer: op.approvals_reviewer ?? settings.approvalsReviewer,
    sandboxPolicy: op.sandbox_policy ?? settings.sandboxPolicy,
    permissionProfile:
      op.sandbox_policy === undefined && op.active_permission_profile === undefined
        ? settings.permissionProfile
        : op.active_permission_profile,
    effort: effortAfter(settings, op.effort, mode),
    summary: op.summary ?? settings.summary,
    personality: op.personality ?? settings.personality,
    collaborationMode: mode ?? settings.collaborationMode,
  };
  return isSame(settings, changed) ? settings : changed;
}

/** Returns the effort; that of a collaboration mode takes precedence. */
function effortAfter(
  { effort }: Settings,
  wanted: ReasoningEffort | null | undefined,
  mode: CollaborationMode | undefined,
): ReasoningEffort | undefined {
  const chosen = mode?.settings?.reasoning_effort ?? wanted;
  return chosen === undefined ? effort : (chosen ?? undefined);
}

function isSame(before: Settings, after: Settings): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
