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
import { TokenUsage } from "../../tokens.js";

export const AdditionalContext = Type.Object(
  {
    key: Type.String({ description: "Source of the text, such as `ide`." }),
    value: Type.String({ description: "Text." }),
    kind: Type.Enum(["untrusted", "application"], {
      description:
        "`untrusted`: data, as from the user; `application`: instructions of the client.",
    }),
  },
  { $id: "AdditionalContext", description: "A text that a client adds to the user's input." },
);
export interface AdditionalContext extends Static<typeof AdditionalContext> {}

const clientId = Type.Optional(
  Type.String({ description: "The client's own id of the message; its item carries it." }),
);

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
    additional_context: Type.Optional(
      Nullable(Type.Array(AdditionalContext), {
        description: "Texts of the client that precede the input.",
      }),
    ),
    client_id: clientId,
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
    additional_context: Type.Optional(
      Nullable(Type.Array(AdditionalContext), {
        description: "Texts of the client that precede the input.",
      }),
    ),
    client_id: clientId,
    active_turn_id: Type.Optional(
      Nullable(Type.String(), {
        description:
          "The input joins this turn if it is active; else it waits until no turn is active. If omitted, a running task is replaced.",
      }),
    ),
  },
  {
    $id: "UserTurnOp",
    description:
      "Sends user input with settings, which also apply to later turns; omitted settings stay unchanged. Replaces a running task, unless `active_turn_id` is set.",
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
    additional_context: Type.Optional(
      Nullable(Type.Array(AdditionalContext), {
        description: "Texts of the client that precede the input.",
      }),
    ),
    client_id: clientId,
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

export const UpdateTurnSettingsOp = Type.Object(
  {
    type: Type.Literal("update_turn_settings"),
    turn_id: Type.String({ description: "Id of the active turn." }),
    model: Type.Optional(Type.String({ description: "Model name." })),
    effort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    summary: described(Type.Optional(ReasoningSummary), "Detail of the reasoning summary."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Reviewer of approval requests.",
    ),
  },
  {
    $id: "UpdateTurnSettingsOp",
    description:
      "Changes settings from the next step of the active turn until its end. Answered by `turn_settings_updated`.",
  },
);
export interface UpdateTurnSettingsOp extends Static<typeof UpdateTurnSettingsOp> {}

export const TurnSettingsUpdatedEvent = Type.Object(
  {
    type: Type.Literal("turn_settings_updated"),
    applied: Type.Boolean({ description: "False if the turn is not active." }),
  },
  { $id: "TurnSettingsUpdatedEvent", description: "Response to `update_turn_settings`." },
);
export interface TurnSettingsUpdatedEvent extends Static<typeof TurnSettingsUpdatedEvent> {}

export const SampleOp = Type.Object(
  {
    type: Type.Literal("sample"),
    prompt: Type.String({ description: "Message after those of the conversation." }),
  },
  {
    $id: "SampleOp",
    description:
      "Asks the model with the conversation and a prompt; nothing is recorded. Answered by `sample_response`.",
  },
);
export interface SampleOp extends Static<typeof SampleOp> {}

export const CancelSampleOp = Type.Object(
  {
    type: Type.Literal("cancel_sample"),
    sample_id: Type.String({ description: "Id of the submission of the sample." }),
  },
  { $id: "CancelSampleOp", description: "Cancels a sample, which is then answered with an error." },
);
export interface CancelSampleOp extends Static<typeof CancelSampleOp> {}

export const SampleResponseEvent = Type.Object(
  {
    type: Type.Literal("sample_response"),
    response_id: Type.Optional(Type.String({ description: "Id of the response." })),
    text: Type.Optional(Type.String({ description: "Answer; absent if it has no message." })),
    usage: described(Type.Optional(TokenUsage), "Token usage of the request."),
    error: Type.Optional(Type.String({ description: "Reason why there is no answer." })),
  },
  { $id: "SampleResponseEvent", description: "Response to `sample`." },
);
export interface SampleResponseEvent extends Static<typeof SampleResponseEvent> {}
