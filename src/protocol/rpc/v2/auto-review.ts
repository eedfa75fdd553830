import Type, { type Static } from "typebox";
import { allSince, described, Nullable, since, taggedUnion } from "../../schema.js";
import { GuardianRiskLevel, GuardianUserAuthorization } from "../../sqeq/events/auto-review.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { RequestPermissionProfile } from "./permissions.js";

const cwd = Type.String({ description: "Working directory." });

export const CommandReviewAction = Type.Object(
  allSince("0.166", {
    type: Type.Literal("command"),
    source: Type.Enum(["shell", "unifiedExec"], { description: "Kind of the tool." }),
    command: Type.String({ description: "Command line." }),
    cwd,
  }),
  { $id: "CommandReviewAction", description: "A command." },
);
export interface CommandReviewAction extends Static<typeof CommandReviewAction> {}

export const ApplyPatchReviewAction = Type.Object(
  allSince("0.166", {
    type: Type.Literal("applyPatch"),
    cwd,
    files: Type.Array(Type.String(), { description: "Absolute paths of the changed files." }),
  }),
  { $id: "ApplyPatchReviewAction", description: "A change of files." },
);
export interface ApplyPatchReviewAction extends Static<typeof ApplyPatchReviewAction> {}

export const RequestPermissionsReviewAction = Type.Object(
  allSince("0.166", {
    type: Type.Literal("requestPermissions"),
    reason: Nullable(Type.String(), { description: "Reason given by the model." }),
    permissions: described(RequestPermissionProfile, "Requested permissions."),
  }),
  { $id: "RequestPermissionsReviewAction", description: "A request for permissions." },
);
export interface RequestPermissionsReviewAction
  extends Static<typeof RequestPermissionsReviewAction> {}

export const GuardianApprovalReviewAction = taggedUnion(
  "GuardianApprovalReviewAction",
  "type",
  [
    since("0.166", CommandReviewAction),
    since("0.166", ApplyPatchReviewAction),
    since("0.166", RequestPermissionsReviewAction),
  ],
  "An action that needs approval.",
);
/** An action that needs approval. */
export type GuardianApprovalReviewAction = Static<typeof GuardianApprovalReviewAction>;

export const GuardianApprovalReview = Type.Object(
  allSince("0.166", {
    status: Type.Enum(["inProgress", "approved", "denied", "timedOut", "aborted"], {
      description:
        "State of the review. After `timedOut` and `aborted` the user is asked, unless the turn has ended.",
    }),
    riskLevel: Nullable(GuardianRiskLevel, { description: "Risk of the action." }),
    userAuthorization: Nullable(GuardianUserAuthorization, {
      description: "Degree to which the user has asked for it.",
    }),
    rationale: Nullable(Type.String(), { description: "Reason of the reviewer." }),
  }),
  { $id: "GuardianApprovalReview", description: "A review of an action that needs approval." },
);
export interface GuardianApprovalReview extends Static<typeof GuardianApprovalReview> {}

const review = {
  threadId: Type.String({ description: "Thread id." }),
  turnId: Type.String({ description: "Turn id." }),
  startedAtMs: Type.Integer({ description: "Start, in Unix milliseconds." }),
  reviewId: Type.String({ description: "Id of the review." }),
  targetItemId: Nullable(Type.String(), { description: "Item of the action." }),
  review: described(GuardianApprovalReview, "State of the review."),
  action: described(GuardianApprovalReviewAction, "The reviewed action."),
};

export const ItemGuardianApprovalReviewStartedNotification = Type.Object(
  allSince("0.166", review),
  {
    $id: "ItemGuardianApprovalReviewStartedNotification",
    description: "The automatic reviewer has started to review an action.",
  },
);
export interface ItemGuardianApprovalReviewStartedNotification
  extends Static<typeof ItemGuardianApprovalReviewStartedNotification> {
  action: GuardianApprovalReviewAction;
}

export const ItemGuardianApprovalReviewCompletedNotification = Type.Object(
  allSince("0.166", {
    ...review,
    completedAtMs: Type.Integer({ description: "End, in Unix milliseconds." }),
    decisionSource: Type.Literal("agent", { description: "Always `agent`." }),
  }),
  {
    $id: "ItemGuardianApprovalReviewCompletedNotification",
    description: "The automatic reviewer has ended a review.",
  },
);
export interface ItemGuardianApprovalReviewCompletedNotification
  extends Static<typeof ItemGuardianApprovalReviewCompletedNotification> {
  action: GuardianApprovalReviewAction;
}

export const GuardianWarningNotification = Type.Object(
  allSince("0.166", {
    threadId: Type.String({ description: "Thread id." }),
    message: Type.String({ description: "Warning." }),
  }),
  {
    $id: "GuardianWarningNotification",
    description: "The automatic reviewer has denied an action, or came to no decision.",
  },
);
export interface GuardianWarningNotification extends Static<typeof GuardianWarningNotification> {}

export const ThreadApproveGuardianDeniedActionParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    event: Type.Unknown({
      description:
        "The denial as a `guardian_assessment` event: `id` (the `reviewId` of the notification) and `status` (`denied`) are read.",
    }),
  },
  {
    $id: "ThreadApproveGuardianDeniedActionParams",
    description: "Params of `thread/approveGuardianDeniedAction`.",
  },
);
export interface ThreadApproveGuardianDeniedActionParams
  extends Static<typeof ThreadApproveGuardianDeniedActionParams> {}

export const autoReviewMethods = [
  defineMethod({
    name: "thread/approveGuardianDeniedAction",
    summary:
      "Overrules a denial of the automatic reviewer: the action is approved once, when the model tries it again.",
    scope: "thread",
    since: "0.166",
    params: ThreadApproveGuardianDeniedActionParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "item/autoApprovalReview/started",
    summary: "The automatic reviewer has started to review an action.",
    scope: "thread",
    params: ItemGuardianApprovalReviewStartedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "item/autoApprovalReview/completed",
    summary: "The automatic reviewer has approved or denied an action, or came to no decision.",
    scope: "thread",
    params: ItemGuardianApprovalReviewCompletedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "guardianWarning",
    summary: "A denial of the automatic reviewer, or the reason why there is no decision.",
    scope: "thread",
    params: GuardianWarningNotification,
    since: "0.166",
  }),
];
