import Type, { type Static } from "typebox";
import { CollaborationModeKind } from "../../config-types.js";
import { described, Nullish, onRequest, since } from "../../schema.js";
import { RateLimitSnapshot, TokenUsageInfo } from "../../tokens.js";
import { itemPlace, turnId } from "./fields.js";

const bookmark = (description: string) =>
  since("current", Type.Optional(Type.String({ description })));

export const TaskStartedEvent = Type.Object(
  {
    type: Type.Literal("task_started"),
    turn_id: turnId,
    model_context_window: Nullish(Type.Integer(), {
      description: "Context window of the model in tokens, if known.",
    }),
    collaboration_mode_kind: described(Type.Optional(CollaborationModeKind), "Collaboration mode."),
    root_turn_id: since(
      "0.166",
      Type.Optional(Type.String({ description: "Turn of the user, if a helper agent works." })),
    ),
  },
  { $id: "TaskStartedEvent", description: "A task started. Newer name: `turn_started`." },
);
export interface TaskStartedEvent extends Static<typeof TaskStartedEvent> {}

export const TaskCompleteEvent = Type.Object(
  {
    type: Type.Literal("task_complete"),
    turn_id: turnId,
    last_agent_message: Nullish(Type.String(), {
      description: "Final agent message, if any.",
    }),
    response_id: bookmark("Last response of the turn; a later turn can continue from it."),
    error: since(
      "0.166",
      Type.Optional(
        Type.Object(
          {
            message: Type.String({ description: "Error message for the user." }),
            codex_error_info: Type.Optional(
              Type.Unknown({ description: "Machine-readable error details." }),
            ),
          },
          {
            description:
              "Error that ended the turn; only in rollouts, an `error` event has it too.",
          },
        ),
      ),
    ),
  },
  { $id: "TaskCompleteEvent", description: "A task is complete. Newer name: `turn_complete`." },
);
export interface TaskCompleteEvent extends Static<typeof TaskCompleteEvent> {}

export const TokenCountEvent = Type.Object(
  {
    type: Type.Literal("token_count"),
    info: Nullish(TokenUsageInfo, { description: "Token usage, once known." }),
    rate_limits: Nullish(RateLimitSnapshot, { description: "Rate limits and their usage." }),
  },
  { $id: "TokenCountEvent", description: "Token usage of the session." },
);
export interface TokenCountEvent extends Static<typeof TokenCountEvent> {}

export const TurnAbortReason = Type.Enum(["interrupted", "replaced", "review_ended"], {
  $id: "TurnAbortReason",
  description: "Reason for an abort: interrupted, replaced by another task, or the review ended.",
});
/** Reason for the abort of a task. */
export type TurnAbortReason = Static<typeof TurnAbortReason>;

export const TurnAbortedEvent = Type.Object(
  {
    type: Type.Literal("turn_aborted"),
    turn_id: since("0.104", Nullish(Type.String(), { description: "Turn id." })),
    reason: described(TurnAbortReason, "Why."),
    response_id: bookmark("Last response of the session; a later turn can continue from it."),
  },
  { $id: "TurnAbortedEvent", description: "A task was aborted; no `task_complete` follows." },
);
export interface TurnAbortedEvent extends Static<typeof TurnAbortedEvent> {}

export const StepCompleteEvent = since(
  "current",
  onRequest(
    "current",
    Type.Object(
      {
        type: Type.Literal("step_complete"),
        response_id: Type.String({
          description: "Response of the step; a later turn can continue from it.",
        }),
      },
      {
        $id: "StepCompleteEvent",
        description:
          "A step is complete: a request to the model and its tool calls. Sent only to clients that request all events.",
      },
    ),
  ),
);
export interface StepCompleteEvent extends Static<typeof StepCompleteEvent> {}

export const TurnDiffEvent = Type.Object(
  {
    type: Type.Literal("turn_diff"),
    unified_diff: Type.String({ description: "Unified diff of all changes of the task." }),
  },
  { $id: "TurnDiffEvent", description: "The aggregated diff of the task changed." },
);
export interface TurnDiffEvent extends Static<typeof TurnDiffEvent> {}

export const StepStatus = Type.Enum(["pending", "in_progress", "completed"], {
  $id: "StepStatus",
  description: "Status of a plan step.",
});
/** Status of a plan step. */
export type StepStatus = Static<typeof StepStatus>;

export const PlanItemArg = Type.Object(
  {
    step: Type.String({ description: "Text of the step." }),
    status: described(StepStatus, "Status."),
  },
  { $id: "PlanItemArg", description: "A step of the plan." },
);
export interface PlanItemArg extends Static<typeof PlanItemArg> {}

export const UpdatePlanArgs = Type.Object(
  {
    explanation: Nullish(Type.String(), { description: "Explanation of the change." }),
    plan: Type.Array(PlanItemArg, { description: "Steps in order." }),
  },
  { $id: "UpdatePlanArgs", description: "A plan with the status of its steps." },
);
export interface UpdatePlanArgs extends Static<typeof UpdatePlanArgs> {}

export const PlanUpdateEvent = Type.Object(
  { type: Type.Literal("plan_update"), ...UpdatePlanArgs.properties },
  { $id: "PlanUpdateEvent", description: "The plan changed." },
);
export interface PlanUpdateEvent extends Static<typeof PlanUpdateEvent> {}

export const PlanDeltaEvent = Type.Object(
  {
    type: Type.Literal("plan_delta"),
    ...itemPlace,
    delta: Type.String({ description: "Text to append." }),
  },
  { $id: "PlanDeltaEvent", description: "The next part of a plan proposed in plan mode." },
);
export interface PlanDeltaEvent extends Static<typeof PlanDeltaEvent> {}
