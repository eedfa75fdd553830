import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../config-types.js";
import { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "../policy.js";
import { described, Nullable } from "../schema.js";

export const OverrideTurnContextOp = Type.Object(
  {
    type: Type.Literal("override_turn_context"),
    cwd: Type.Optional(Type.String({ description: "Where commands run." })),
    approval_policy: described(Type.Optional(AskForApproval), "When the user is asked."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Who reviews approval requests.",
    ),
    sandbox_policy: described(Type.Optional(SandboxPolicy), "What commands may do."),
    model: Type.Optional(Type.String({ description: "The model to ask." })),
    effort: Type.Optional(
      Nullable(ReasoningEffort, {
        description: "How much it reasons: absent leaves it, `null` clears it.",
      }),
    ),
    summary: described(Type.Optional(ReasoningSummary), "How much it tells of its reasoning."),
    personality: described(Type.Optional(Personality), "The tone of its answers."),
    collaboration_mode: described(Type.Optional(CollaborationMode), "Whether it works or plans."),
  },
  {
    $id: "OverrideTurnContextOp",
    description: "Changes settings for the turns to come; what is absent stays as it is.",
  },
);
export interface OverrideTurnContextOp extends Static<typeof OverrideTurnContextOp> {}
