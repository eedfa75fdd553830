import type {
  GuardianApprovalReview,
  GuardianApprovalReviewAction,
  ItemGuardianApprovalReviewCompletedNotification,
} from "../../protocol/rpc/v2/auto-review.js";
import type { GuardianAction, GuardianAssessmentEvent } from "../../protocol/types.js";
import { toRequestedPermissions } from "../requests/approvals.js";
import type { Projections } from "./projection.js";

/** Projections of the automatic reviewer of approvals. */
export const autoReviewProjections = {
  guardian_assessment({ msg }, projection) {
    const { threadId } = projection;
    if (msg.status === "in_progress") {
      projection.notify("item/autoApprovalReview/started", toStarted(msg, threadId));
    } else {
      projection.notify("item/autoApprovalReview/completed", toCompletedReview(msg, threadId));
    }
  },
  guardian_warning({ msg }, projection) {
    projection.notify("guardianWarning", { threadId: projection.threadId, message: msg.message });
  },
} satisfies Projections;

/** Returns the notification of a review that has ended. */
export function toCompletedReview(
  msg: GuardianAssessmentEvent,
  threadId: string,
): ItemGuardianApprovalReviewCompletedNotification {
  return {
    ...toStarted(msg, threadId),
    completedAtMs: msg.completed_at_ms ?? msg.started_at_ms,
    decisionSource: "agent",
  };
}

function toStarted(msg: GuardianAssessmentEvent, threadId: string) {
  return {
    threadId,
    turnId: msg.turn_id,
    startedAtMs: msg.started_at_ms,
    reviewId: msg.id,
    targetItemId: msg.target_item_id ?? null,
    review: toReview(msg),
    action: toAction(msg.action),
  };
}

function toReview(msg: GuardianAssessmentEvent): GuardianApprovalReview {
  return {
    status: statuses[msg.status],
    riskLevel: msg.risk_level ?? null,
    userAuthorization: msg.user_authorization ?? null,
    rationale: msg.rationale ?? null,
  };
}

const statuses = {
  in_progress: "inProgress",
  approved: "approved",
  denied: "denied",
  timed_out: "timedOut",
  aborted: "aborted",
} as const;

function toAction(action: GuardianAction): GuardianApprovalReviewAction {
  switch (action.type) {
    case "command": {
      const source = action.source === "unified_exec" ? "unifiedExec" : "shell";
      return { ...action, source };
    }
    case "apply_patch":
      return { ...action, type: "applyPatch" };
    case "request_permissions":
      return {
        type: "requestPermissions",
        reason: action.reason ?? null,
        permissions: toRequestedPermissions(action.permissions),
      };
  }
}
