import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../../config-types.js";
import { InputItem } from "../../items/input.js";
import { ResponseItem } from "../../items/response.js";
import {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  SandboxPolicy,
} from "../../policy.js";
import { described, Nullable } from "../../schema.js";

export const UserInputOp = Type.Object(
  {
    type: Type.Literal("user_input"),
    items: Type.Array(InputItem, { description: "User input." }),
    final_output_json_schema: Type.Optional(
      Type.Unknown({ description: "JSON Schema that the final message of the turn must match." }),
    ),
    last_response_id: Type.Optional(
      Type.String({ description: "Response to continue from, instead of the latest." }),
    ),
  },
  {
    $id: "UserInputOp",
    description:
      "Sends user input with the current settings. Starts a task, or joins the running one.",
  },
);
export interface UserInputOp extends Static<typeof UserInputOp> {}

export const UserTurnOp = Type.Object(
  {
    type: Type.Literal("user_turn"),
    items: Type.Array(InputItem, { description: "User input." }),
    cwd: Type.Optional(
      Type.String({
        description: "Working directory of commands; absolute, or relative to the server's.",
      }),
    ),
    approval_policy: described(Type.Optional(AskForApproval), "Approval policy."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Reviewer of approval requests.",
    ),
    sandbox_policy: described(Type.Optional(SandboxPolicy), "Sandbox policy."),
    active_permission_profile: described(
      Type.Optional(ActivePermissionProfile),
      "Permission profile, instead of `sandbox_policy`.",
    ),
    model: Type.Optional(Type.String({ description: "Model name." })),
    effort: described(
      Type.Optional(ReasoningEffort),
      "Reasoning effort, if the model supports it.",
    ),
    summary: described(Type.Optional(ReasoningSummary), "Detail of the reasoning summary."),
    final_output_json_schema: Type.Optional(
      Type.Unknown({ description: "JSON Schema that the final message of the turn must match." }),
    ),
    personality: described(Type.Optional(Personality), "Personality of the model."),
    collaboration_mode: described(Type.Optional(CollaborationMode), "Collaboration mode."),
    last_response_id: Type.Optional(
      Type.String({
        description: "`response_id` of an earlier turn to continue from, instead of the latest.",
      }),
    ),
  },
  {
    $id: "UserTurnOp",
    description:
      "Sends user input with settings, which also apply to later turns; omitted settings stay unchanged. Replaces a running task.",
  },
);
export interface UserTurnOp extends Static<typeof UserTurnOp> {}

export const SteerInputOp = Type.Object(
  {
    type: Type.Literal("steer_input"),
    items: Type.Array(InputItem, { description: "User input." }),
    expected_turn_id: Type.Optional(
      Type.String({
        description: "Id of the active turn; the op fails if another turn is active.",
      }),
    ),
  },
  {
    $id: "SteerInputOp",
    description:
      "Adds user input to the active turn; never starts one. Answered by `submission_accepted`.",
  },
);
export interface SteerInputOp extends Static<typeof SteerInputOp> {}

export const InjectItemsOp = Type.Object(
  {
    type: Type.Literal("inject_items"),
    response_items: Type.Array(ResponseItem, { description: "Items in order." }),
  },
  {
    $id: "InjectItemsOp",
    description:
      "Adds items to the model's context without starting a turn. Answered by `submission_accepted`.",
  },
);
export interface InjectItemsOp extends Static<typeof InjectItemsOp> {
  response_items: ResponseItem[];
}

export const AgentMessageKind = Type.Enum(["NEW_TASK", "MESSAGE", "FINAL_ANSWER"], {
  $id: "AgentMessageKind",
  description: "Kind of a message between agents: a task, a message, or the answer to a task.",
});
/** Kind of a message between agents. */
export type AgentMessageKind = Static<typeof AgentMessageKind>;

export const InterAgentCommunicationOp = Type.Object(
  {
    type: Type.Literal("inter_agent_communication"),
    author: Type.String({ description: "Path of the agent that sends it." }),
    recipient: Type.String({ description: "Path of the agent that receives it." }),
    kind: described(AgentMessageKind, "Kind of the message."),
    text: Type.String({ description: "Text for the receiving agent." }),
    trigger_turn: Type.Boolean({
      description: "Starts a turn if none is active; otherwise the next request includes it.",
    }),
    root_turn_id: Type.Optional(Type.String({ description: "Turn of the user it belongs to." })),
    parent_turn_id: Type.Optional(Type.String({ description: "Turn of the agent that sent it." })),
  },
  {
    $id: "InterAgentCommunicationOp",
    description: "Delivers a message of another agent to the model.",
  },
);
export interface InterAgentCommunicationOp extends Static<typeof InterAgentCommunicationOp> {}

export const InterruptOp = Type.Object(
  { type: Type.Literal("interrupt") },
  {
    $id: "InterruptOp",
    description: "Interrupts the running task. Answered by `turn_aborted`.",
  },
);
export interface InterruptOp extends Static<typeof InterruptOp> {}

export const OverrideTurnContextOp = Type.Object(
  {
    type: Type.Literal("override_turn_context"),
    cwd: Type.Optional(Type.String({ description: "Working directory of commands." })),
    approval_policy: described(Type.Optional(AskForApproval), "Approval policy."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Reviewer of approval requests.",
    ),
    sandbox_policy: described(Type.Optional(SandboxPolicy), "Sandbox policy."),
    active_permission_profile: described(
      Type.Optional(ActivePermissionProfile),
      "Permission profile, instead of `sandbox_policy`.",
    ),
    model: Type.Optional(Type.String({ description: "Model name." })),
    effort: Type.Optional(
      Nullable(ReasoningEffort, {
        description: "Reasoning effort; `null` clears it.",
      }),
    ),
    summary: described(Type.Optional(ReasoningSummary), "Detail of the reasoning summary."),
    personality: described(Type.Optional(Personality), "Personality of the model."),
    collaboration_mode: described(Type.Optional(CollaborationMode), "Collaboration mode."),
  },
  {
    $id: "OverrideTurnContextOp",
    description: "Changes settings of the following turns; omitted settings stay unchanged.",
  },
);
export interface OverrideTurnContextOp extends Static<typeof OverrideTurnContextOp> {}

export const RunUserShellCommandOp = Type.Object(
  {
    type: Type.Literal("run_user_shell_command"),
    command: Type.String({ description: "Shell script." }),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: "Time limit in milliseconds. Default: one hour." }),
    ),
  },
  {
    $id: "RunUserShellCommandOp",
    description:
      "Runs a command typed by the user, without sandbox and approval. The model sees its output in the next request.",
  },
);
export interface RunUserShellCommandOp extends Static<typeof RunUserShellCommandOp> {}
