import Type, { type Static } from "typebox";
import { PermissionProfile } from "../../approval.js";
import { allSince, described, Nullish, since, taggedUnion } from "../../schema.js";

export const GuardianRiskLevel = Type.Enum(["low", "medium", "high", "critical"], {
  $id: "GuardianRiskLevel",
  description: "Risk of a reviewed action.",
});
/** Risk of a reviewed action. */
export type GuardianRiskLevel = Static<typeof GuardianRiskLevel>;

export const GuardianUserAuthorization = Type.Enum(["unknown", "low", "medium", "high"], {
  $id: "GuardianUserAuthorization",
  description: "Degree to which the user has asked for the reviewed action.",
});
/** Degree to which the user has asked for the reviewed action. */
export type GuardianUserAuthorization = Static<typeof GuardianUserAuthorization>;

const cwd = Type.String({ description: "Working directory." });

export const GuardianCommandAction = Type.Object(
  allSince("0.166", {
    type: Type.Literal("command"),
    source: Type.Enum(["shell", "unified_exec"], { description: "Kind of the tool." }),
    command: Type.String({ description: "Command line." }),
    cwd,
  }),
  { $id: "GuardianCommandAction", description: "A command." },
);
export interface GuardianCommandAction extends Static<typeof GuardianCommandAction> {}

export const GuardianPatchAction = Type.Object(
  allSince("0.166", {
    type: Type.Literal("apply_patch"),
    cwd,
    files: Type.Array(Type.String(), { description: "Absolute paths of the changed files." }),
  }),
  { $id: "GuardianPatchAction", description: "A change of files." },
);
export interface GuardianPatchAction extends Static<typeof GuardianPatchAction> {}

export const GuardianPermissionsAction = Type.Object(
  allSince("0.166", {
    type: Type.Literal("request_permissions"),
    reason: Nullish(Type.String(), { description: "Reason given by the model." }),
    permissions: described(PermissionProfile, "Requested permissions."),
  }),
  { $id: "GuardianPermissionsAction", description: "A request for permissions." },
);
export interface GuardianPermissionsAction extends Static<typeof GuardianPermissionsAction> {}

export const GuardianAction = taggedUnion(
  "GuardianAction",
  "type",
  [
    since("0.166", GuardianCommandAction),
    since("0.166", GuardianPatchAction),
    since("0.166", GuardianPermissionsAction),
  ],
  "An action that needs approval.",
);
/** An action that needs approval. */
export type GuardianAction = Static<typeof GuardianAction>;

export const ExactAction = Type.Object(
  {
    key: Type.String({ description: "Hash that only the same action has." }),
    text: Type.String({ description: "Description for the model, one JSON value on each line." }),
  },
  { $id: "ExactAction", description: "A denied action to the letter." },
);
export interface ExactAction extends Static<typeof ExactAction> {}

export const GuardianAssessmentEvent = since(
  "0.166",
  Type.Object(
    {
      type: Type.Literal("guardian_assessment"),
      id: Type.String({ description: "Id of the review." }),
      target_item_id: Nullish(Type.String(), { description: "Item of the action." }),
      turn_id: Type.String({ description: "Turn id." }),
      started_at_ms: Type.Integer({ description: "Start, in Unix milliseconds." }),
      completed_at_ms: Nullish(Type.Integer(), { description: "End, in Unix milliseconds." }),
      status: Type.Enum(["in_progress", "approved", "denied", "timed_out", "aborted"], {
        description:
          "State of the review. After `timed_out` and `aborted` the user is asked, unless the turn has ended.",
      }),
      risk_level: Nullish(GuardianRiskLevel, { description: "Risk of the action." }),
      user_authorization: Nullish(GuardianUserAuthorization, {
        description: "Degree to which the user has asked for it.",
      }),
      rationale: Nullish(Type.String(), { description: "Reason of the reviewer." }),
      decision_source: Nullish(Type.Literal("agent"), { description: "Always `agent`." }),
      action: described(GuardianAction, "The reviewed action."),
      exact_action: Type.Optional(
        described(
          ExactAction,
          "The whole action, if it was denied: the user may still approve it.",
        ),
      ),
    },
    {
      $id: "GuardianAssessmentEvent",
      description: "The automatic reviewer of approvals has started or ended a review.",
    },
  ),
);
export interface GuardianAssessmentEvent extends Static<typeof GuardianAssessmentEvent> {
  action: GuardianAction;
}

export const GuardianWarningEvent = since(
  "0.166",
  Type.Object(
    {
      type: Type.Literal("guardian_warning"),
      message: Type.String({ description: "Warning." }),
    },
    {
      $id: "GuardianWarningEvent",
      description: "The automatic reviewer has denied an action, or came to no decision.",
    },
  ),
);
export interface GuardianWarningEvent extends Static<typeof GuardianWarningEvent> {}
