import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../../config-types.js";
import { InputItem } from "../../items/input.js";
import { ResponseItem } from "../../items/response.js";
import { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "../../policy.js";
import { described, Nullable } from "../../schema.js";

export const UserInputOp = Type.Object(
  {
    type: Type.Literal("user_input"),
    items: Type.Array(InputItem, { description: "What the user sends." }),
    final_output_json_schema: Type.Optional(
      Type.Unknown({ description: "A JSON Schema the last message of the turn is to fit." }),
    ),
    last_response_id: Type.Optional(
      Type.String({ description: "The response to go on from, if not the latest." }),
    ),
  },
  {
    $id: "UserInputOp",
    description:
      "Sends a message of the user with the settings as they are. It starts a task, or joins " +
      "the one that runs.",
  },
);
export interface UserInputOp extends Static<typeof UserInputOp> {}

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

export const SteerInputOp = Type.Object(
  {
    type: Type.Literal("steer_input"),
    items: Type.Array(InputItem, { description: "What the user sends." }),
    expected_turn_id: Type.Optional(
      Type.String({ description: "The turn it is meant for; no other one gets it." }),
    ),
  },
  {
    $id: "SteerInputOp",
    description:
      "Sends a message of the user to the turn that runs, and never starts one; answered by " +
      "`submission_accepted`.",
  },
);
export interface SteerInputOp extends Static<typeof SteerInputOp> {}

export const InjectItemsOp = Type.Object(
  {
    type: Type.Literal("inject_items"),
    response_items: Type.Array(ResponseItem, { description: "The items, in their order." }),
  },
  {
    $id: "InjectItemsOp",
    description:
      "Adds items to what the model is shown, without asking it; answered by " +
      "`submission_accepted`.",
  },
);
export interface InjectItemsOp extends Static<typeof InjectItemsOp> {
  response_items: ResponseItem[];
}

export const InterruptOp = Type.Object(
  { type: Type.Literal("interrupt") },
  {
    $id: "InterruptOp",
    description: "Stops the running task; answered by `turn_aborted`.",
  },
);
export interface InterruptOp extends Static<typeof InterruptOp> {}

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

export const RunUserShellCommandOp = Type.Object(
  {
    type: Type.Literal("run_user_shell_command"),
    command: Type.String({ description: "The script, for the user's shell." }),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: "How long it may run; an hour if absent." }),
    ),
  },
  {
    $id: "RunUserShellCommandOp",
    description:
      "Runs a command that the user typed, without sandbox and without asking. Its output is " +
      "shown to the model with the next request.",
  },
);
export interface RunUserShellCommandOp extends Static<typeof RunUserShellCommandOp> {}
