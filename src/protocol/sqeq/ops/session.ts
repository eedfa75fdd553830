import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
} from "../../config-types.js";
import { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "../../policy.js";
import { described } from "../../schema.js";
import { ReviewRequest } from "../events/review.js";
import { DynamicTool } from "../events/tool.js";

export const ConfigureSessionOp = Type.Object(
  {
    type: Type.Literal("configure_session"),
    model: Type.Optional(Type.String({ description: "The model to ask." })),
    model_provider: Type.Optional(
      Type.String({ description: "Where it is reached: a name of `model_providers`." }),
    ),
    model_reasoning_effort: described(Type.Optional(ReasoningEffort), "How much it reasons."),
    model_reasoning_summary: described(Type.Optional(ReasoningSummary), "How much it tells of it."),
    model_verbosity: described(Type.Optional(Verbosity), "How long its answers are."),
    personality: described(Type.Optional(Personality), "The tone of its answers."),
    collaboration_mode: described(Type.Optional(CollaborationMode), "Whether it works or plans."),
    instructions: Type.Optional(
      Type.String({ description: "Replaces the instructions the model is given by default." }),
    ),
    user_instructions: Type.Optional(
      Type.String({ description: "Replaces the user's and the project's own instructions." }),
    ),
    approval_policy: described(Type.Optional(AskForApproval), "When the user is asked."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Who reviews approval requests.",
    ),
    sandbox_policy: described(Type.Optional(SandboxPolicy), "What commands may do."),
    cwd: Type.Optional(
      Type.String({
        description: "Where commands run; absolute, or relative to the server's own.",
      }),
    ),
    notify: Type.Optional(
      Type.Array(Type.String(), { description: "A program to start when a turn is complete." }),
    ),
    profile: Type.Optional(Type.String({ description: "The profile of the config to use." })),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "More settings by their dotted name, as with `-c`.",
      }),
    ),
    include_plan_tool: Type.Optional(
      Type.Boolean({ description: "Whether the model gets the plan tool." }),
    ),
    include_apply_patch_tool: Type.Optional(
      Type.Boolean({ description: "Whether the model gets the patch tool." }),
    ),
    on_input: Type.Optional(
      Type.Enum(["join", "replace", "queue"], {
        description:
          "What input does that comes while a task runs: it joins the task, replaces it, or is the " +
          "next task. Default: `user_input` joins and `user_turn` replaces. Input that continues " +
          "from a bookmark does not join: it replaces.",
      }),
    ),
    can_answer_questions: Type.Optional(
      Type.Boolean({
        description:
          "False if the client cannot answer `request_user_input`; the model then cannot ask.",
      }),
    ),
    dynamic_tools: Type.Optional(
      Type.Array(DynamicTool, { description: "Tools that the client runs itself." }),
    ),
    ephemeral: Type.Optional(
      Type.Boolean({
        description:
          "Nothing is kept of the session. With `resume_path` it goes on with a copy, under an " +
          "id of its own.",
      }),
    ),
    raw_events: Type.Optional(
      Type.Boolean({ description: "Every item of the conversation is told as it is, too." }),
    ),
    is_copy: Type.Optional(
      Type.Boolean({ description: "`resume_path` is a copy of which nothing is its own yet." }),
    ),
    keeps_policies: Type.Optional(
      Type.Boolean({
        description:
          "The conversation of `resume_path` continues under the approval policy, reviewer and " +
          "sandbox of its last turn, except for those that this op sets. Default: those of the config.",
      }),
    ),
    resume_path: Type.Optional(
      Type.String({ description: "A rollout file whose conversation goes on." }),
    ),
  },
  {
    $id: "ConfigureSessionOp",
    description:
      "Creates the session, or changes it and ends what is running; answered by " +
      "`session_configured`. What is absent comes from the config.",
  },
);
export interface ConfigureSessionOp extends Static<typeof ConfigureSessionOp> {}

export const CompactOp = Type.Object(
  { type: Type.Literal("compact") },
  {
    $id: "CompactOp",
    description: "Has the model summarize the conversation and goes on from the summary.",
  },
);
export interface CompactOp extends Static<typeof CompactOp> {}

export const ReviewOp = Type.Object(
  {
    type: Type.Literal("review"),
    review_request: described(ReviewRequest, "What to review."),
  },
  {
    $id: "ReviewOp",
    description: "Starts a code review in a conversation of its own; replaces a task that runs.",
  },
);
export interface ReviewOp extends Static<typeof ReviewOp> {}

export const SetThreadNameOp = Type.Object(
  {
    type: Type.Literal("set_thread_name"),
    name: Type.String({ description: "The name; blanks around it do not count." }),
  },
  {
    $id: "SetThreadNameOp",
    description: "Gives the thread a name; answered by `thread_name_updated`.",
  },
);
export interface SetThreadNameOp extends Static<typeof SetThreadNameOp> {}

export const ThreadRollbackOp = Type.Object(
  {
    type: Type.Literal("thread_rollback"),
    num_turns: Type.Integer({
      minimum: 1,
      description: "How many of the user's last turns are taken back.",
    }),
  },
  {
    $id: "ThreadRollbackOp",
    description:
      "Takes the last turns out of the conversation, while none runs; answered by " +
      "`thread_rolled_back`. What they changed in files stays.",
  },
);
export interface ThreadRollbackOp extends Static<typeof ThreadRollbackOp> {}

export const ShutdownOp = Type.Object(
  { type: Type.Literal("shutdown") },
  {
    $id: "ShutdownOp",
    description: "Ends the engine; answered by `shutdown_complete`.",
  },
);
export interface ShutdownOp extends Static<typeof ShutdownOp> {}
