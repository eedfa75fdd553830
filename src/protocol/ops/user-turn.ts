import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../config-types.js";
import { InputItem } from "../items/input.js";
import { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "../policy.js";
import { described } from "../schema.js";

export const UserTurnOp = Type.Object(
  {
    type: Type.Literal("user_turn"),
    items: Type.Array(InputItem, { description: "What the user sends." }),
    cwd: Type.Optional(
      Type.String({
        description: "Where commands run; absolute, or relative to the server's own.",
      }),
    ),
    approval_policy: described(Type.Optional(AskForApproval), "When the user is asked."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Who reviews approval requests.",
    ),
    sandbox_policy: described(Type.Optional(SandboxPolicy), "What commands may do."),
    model: Type.Optional(Type.String({ description: "The model to ask." })),
    effort: described(Type.Optional(ReasoningEffort), "How much it reasons, if it can."),
    summary: described(Type.Optional(ReasoningSummary), "How much it tells of its reasoning."),
    final_output_json_schema: Type.Optional(
      Type.Unknown({ description: "A JSON Schema the last message of the turn is to fit." }),
    ),
    personality: described(Type.Optional(Personality), "The tone of its answers."),
    collaboration_mode: described(Type.Optional(CollaborationMode), "Whether it works or plans."),
    last_response_id: Type.Optional(
      Type.String({
        description: "A `response_id` of an earlier turn to go on from, instead of the latest.",
      }),
    ),
  },
  {
    $id: "UserTurnOp",
    description:
      "Sends a message of the user with the settings of the turn, which then hold for later " +
      "turns too; what is absent stays as it was. It replaces a task that runs.",
  },
);
export interface UserTurnOp extends Static<typeof UserTurnOp> {}
