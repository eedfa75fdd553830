import Type, { type Static } from "typebox";
import { CollaborationModeKind } from "../../config-types.js";
import { described, Nullish } from "../../schema.js";
import { RateLimitSnapshot, TokenUsageInfo } from "../../tokens.js";
import { itemPlace, turnId } from "./fields.js";

const bookmark = (description: string) => Type.Optional(Type.String({ description }));

export const TaskStartedEvent = Type.Object(
  {
    type: Type.Literal("task_started"),
    turn_id: turnId,
    model_context_window: Nullish(Type.Integer(), {
      description: "How many tokens the model can hold, when that is known.",
    }),
    collaboration_mode_kind: described(
      Type.Optional(CollaborationModeKind),
      "Whether the model works or plans.",
    ),
  },
  { $id: "TaskStartedEvent", description: "A task began. `turn_started` is the same." },
);
export interface TaskStartedEvent extends Static<typeof TaskStartedEvent> {}

export const TaskCompleteEvent = Type.Object(
  {
    type: Type.Literal("task_complete"),
    turn_id: turnId,
    last_agent_message: Nullish(Type.String(), {
      description: "The last message of the model, if its last response had one.",
    }),
    response_id: bookmark("The last response of the turn; a later turn can continue from it."),
  },
  { $id: "TaskCompleteEvent", description: "A task is over. `turn_complete` is the same." },
);
export interface TaskCompleteEvent extends Static<typeof TaskCompleteEvent> {}

export const TokenCountEvent = Type.Object(
  {
    type: Type.Literal("token_count"),
    info: Nullish(TokenUsageInfo, { description: "Tokens used so far, once that is known." }),
    rate_limits: Nullish(RateLimitSnapshot, { description: "How far the limits are used up." }),
  },
  { $id: "TokenCountEvent", description: "What the session has cost so far." },
);
export interface TokenCountEvent extends Static<typeof TokenCountEvent> {}

export const TurnAbortReason = Type.Enum(["interrupted", "replaced", "review_ended"], {
  $id: "TurnAbortReason",
  description:
    "Why a task ended early: the user stopped it, another took its place, or its review ended.",
});
/** Why a task ended early. */
export type TurnAbortReason = Static<typeof TurnAbortReason>;

export const TurnAbortedEvent = Type.Object(
  {
    type: Type.Literal("turn_aborted"),
    turn_id: Nullish(Type.String(), { description: "The turn it belongs to." }),
    reason: described(TurnAbortReason, "Why."),
    response_id: bookmark("The last response of the session; a later turn can continue from it."),
  },
  { $id: "TurnAbortedEvent", description: "A task ended early; no `task_complete` follows." },
);
export interface TurnAbortedEvent extends Static<typeof TurnAbortedEvent> {}

export const StepCompleteEvent = Type.Object(
  {
    type: Type.Literal("step_complete"),
    response_id: Type.String({
      description: "The response of the step; a later turn can continue from it.",
    }),
  },
  {
    $id: "StepCompleteEvent",
    description:
      "One step of a task, a request to the model and the calls it made, is complete. Sent only " +
      "to clients that ask for all events.",
  },
);
export interface StepCompleteEvent extends Static<typeof StepCompleteEvent> {}

export const TurnDiffEvent = Type.Object(
  {
    type: Type.Literal("turn_diff"),
    unified_diff: Type.String({ description: "All changes of the task, as one unified diff." }),
  },
  { $id: "TurnDiffEvent", description: "What patches have changed in this task so far." },
);
export interface TurnDiffEvent extends Static<typeof TurnDiffEvent> {}

export const StepStatus = Type.Enum(["pending", "in_progress", "completed"], {
  $id: "StepStatus",
  description: "How far a step has come.",
});
/** How far a step of the plan has come. */
export type StepStatus = Static<typeof StepStatus>;

export const PlanItemArg = Type.Object(
  {
    step: Type.String({ description: "What is to be done." }),
    status: described(StepStatus, "How far it has come."),
  },
  { $id: "PlanItemArg", description: "A step of the plan." },
);
export interface PlanItemArg extends Static<typeof PlanItemArg> {}

export const UpdatePlanArgs = Type.Object(
  {
    explanation: Nullish(Type.String(), { description: "Why the plan changed." }),
    plan: Type.Array(PlanItemArg, { description: "All steps, in order." }),
  },
  { $id: "UpdatePlanArgs", description: "The plan of a task and how far it has come." },
);
export interface UpdatePlanArgs extends Static<typeof UpdatePlanArgs> {}

export const PlanUpdateEvent = Type.Object(
  { type: Type.Literal("plan_update"), ...UpdatePlanArgs.properties },
  { $id: "PlanUpdateEvent", description: "The model wrote or changed its plan." },
);
export interface PlanUpdateEvent extends Static<typeof PlanUpdateEvent> {}

export const PlanDeltaEvent = Type.Object(
  {
    type: Type.Literal("plan_delta"),
    ...itemPlace,
    delta: Type.String({ description: "The next piece of text." }),
  },
  { $id: "PlanDeltaEvent", description: "The next piece of a plan proposed in plan mode." },
);
export interface PlanDeltaEvent extends Static<typeof PlanDeltaEvent> {}
