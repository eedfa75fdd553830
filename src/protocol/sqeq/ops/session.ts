import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
} from "../../config-types.js";
import {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  SandboxPolicy,
} from "../../policy.js";
import { described, reference } from "../../schema.js";
import { ReviewRequest } from "../events/review.js";
import { DynamicTool } from "../events/tool.js";
import type { EventMsg } from "../events.generated.js";

export const ConfigureSessionOp = Type.Object(
  {
    type: Type.Literal("configure_session"),
    model: Type.Optional(Type.String({ description: "Model name." })),
    model_provider: Type.Optional(
      Type.String({ description: "Model provider: a key of `model_providers`." }),
    ),
    model_reasoning_effort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    model_reasoning_summary: described(
      Type.Optional(ReasoningSummary),
      "Detail of the reasoning summary.",
    ),
    model_verbosity: described(Type.Optional(Verbosity), "Verbosity of the model."),
    personality: described(Type.Optional(Personality), "Personality of the model."),
    collaboration_mode: described(Type.Optional(CollaborationMode), "Collaboration mode."),
    instructions: Type.Optional(
      Type.String({ description: "Replaces the default base instructions." }),
    ),
    user_instructions: Type.Optional(
      Type.String({ description: "Replaces the instructions of the user and the project." }),
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
    cwd: Type.Optional(
      Type.String({
        description: "Working directory of commands; absolute, or relative to the server's.",
      }),
    ),
    notify: Type.Optional(
      Type.Array(Type.String(), { description: "Program to run when a turn is complete." }),
    ),
    profile: Type.Optional(Type.String({ description: "Config profile." })),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Additional settings by dotted key, as with `-c`.",
      }),
    ),
    include_plan_tool: Type.Optional(Type.Boolean({ description: "Enables the plan tool." })),
    include_apply_patch_tool: Type.Optional(
      Type.Boolean({ description: "Enables the patch tool." }),
    ),
    on_input: Type.Optional(
      Type.Enum(["join", "replace", "queue"], {
        description:
          "Handling of input while a task runs: join the task, replace it, or queue a new task. Default: `user_input` joins and `user_turn` replaces. Input that continues from a bookmark never joins; it replaces.",
      }),
    ),
    can_answer_questions: Type.Optional(
      Type.Boolean({
        description: "False disables `request_user_input`, for clients that cannot answer it.",
      }),
    ),
    dynamic_tools: Type.Optional(
      Type.Array(DynamicTool, { description: "Dynamic tools, which the client runs." }),
    ),
    ephemeral: Type.Optional(
      Type.Boolean({
        description:
          "Does not persist the session. With `resume_path` it continues a copy under a new id.",
      }),
    ),
    raw_events: Type.Optional(Type.Boolean({ description: "Also emits every raw response item." })),
    is_copy: Type.Optional(
      Type.Boolean({ description: "`resume_path` is an unmodified copy of another rollout." }),
    ),
    keeps_policies: Type.Optional(
      Type.Boolean({
        description:
          "Resumes with the approval policy, reviewer and sandbox policy of the last turn, unless this op sets them. Default: those of the config.",
      }),
    ),
    resume_path: Type.Optional(Type.String({ description: "Rollout file to resume." })),
  },
  {
    $id: "ConfigureSessionOp",
    description:
      "Creates the session, or reconfigures it and aborts the running task. Omitted settings come from the config. Answered by `session_configured`.",
  },
);
export interface ConfigureSessionOp extends Static<typeof ConfigureSessionOp> {}

export const CompactOp = Type.Object(
  { type: Type.Literal("compact") },
  {
    $id: "CompactOp",
    description: "Replaces the conversation with a summary written by the model.",
  },
);
export interface CompactOp extends Static<typeof CompactOp> {}

export const ReviewOp = Type.Object(
  {
    type: Type.Literal("review"),
    review_request: described(ReviewRequest, "Review request."),
  },
  {
    $id: "ReviewOp",
    description: "Starts a code review in a separate conversation. Replaces a running task.",
  },
);
export interface ReviewOp extends Static<typeof ReviewOp> {}

export const SetThreadNameOp = Type.Object(
  {
    type: Type.Literal("set_thread_name"),
    name: Type.String({ description: "The name; surrounding whitespace is trimmed." }),
  },
  {
    $id: "SetThreadNameOp",
    description: "Sets the thread name. Answered by `thread_name_updated`.",
  },
);
export interface SetThreadNameOp extends Static<typeof SetThreadNameOp> {}

export const ThreadRollbackOp = Type.Object(
  {
    type: Type.Literal("thread_rollback"),
    num_turns: Type.Integer({
      minimum: 1,
      description: "Number of turns to remove.",
    }),
  },
  {
    $id: "ThreadRollbackOp",
    description:
      "Removes the last turns from the conversation. Fails if a turn is active; file changes are kept. Answered by `thread_rolled_back`.",
  },
);
export interface ThreadRollbackOp extends Static<typeof ThreadRollbackOp> {}

export const ShutdownOp = Type.Object(
  { type: Type.Literal("shutdown") },
  {
    $id: "ShutdownOp",
    description: "Shuts down the engine. Answered by `shutdown_complete`.",
  },
);
export interface ShutdownOp extends Static<typeof ShutdownOp> {}

export const ContinueTurnOp = Type.Object(
  {
    type: Type.Literal("continue_turn"),
    turn_id: Type.String({ description: "Turn id." }),
    events: Type.Array(reference("EventMsg"), {
      description: "Events of the turn so far, in order, without deltas.",
    }),
    is_resubmitted: Type.Optional(
      Type.Boolean({
        description:
          "The submission that started the turn was not applied and follows under the same id.",
      }),
    ),
    final_output_json_schema: Type.Optional(
      Type.Unknown({ description: "JSON Schema that the final message of the turn must match." }),
    ),
  },
  {
    $id: "ContinueTurnOp",
    description:
      "Continues a turn of an engine that was lost, in the resumed conversation. Its id is that of the submission that started the turn. Calls that had begun are not repeated.",
  },
);
export interface ContinueTurnOp extends Static<typeof ContinueTurnOp> {
  events: EventMsg[];
}
