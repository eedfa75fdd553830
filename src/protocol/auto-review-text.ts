import type {
  GuardianApprovalReviewAction,
  ItemGuardianApprovalReviewCompletedNotification,
} from "./rpc/v2/auto-review.js";

/** Describes the end of an automatic review, with its reason. */
export function describeAutoReview({
  review,
  action,
}: Pick<ItemGuardianApprovalReviewCompletedNotification, "review" | "action">): string {
  const { status, riskLevel, rationale } = review;
  if (status !== "approved" && status !== "denied") {
    return `${rationale ?? "Automatic approval review failed"}: ${describeReviewedAction(action)}`;
  }
  const risk = riskLevel === null ? "" : ` (${riskLevel} risk)`;
  const reason = rationale === null ? "" : `: ${rationale}`;
  return `Automatic review ${status} ${describeReviewedAction(action)}${risk}${reason}`;
}

/** Describes an action that is reviewed, in a few words. */
export function describeReviewedAction(action: GuardianApprovalReviewAction): string {
  switch (action.type) {
    case "command":
      return `\`${action.command}\``;
    case "applyPatch":
      return `changes of ${action.files.join(", ")}`;
    case "requestPermissions":
      return "more permissions";
  }
}
