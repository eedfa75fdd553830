import Type, { type Static } from "typebox";
import { InputItem } from "../../items/input.js";
import { described, Nullable } from "../../schema.js";
import { ThreadGoalStatus } from "../events/goal.js";

export const SetThreadGoalOp = Type.Object(
  {
    type: Type.Literal("set_thread_goal"),
    objective: Type.Optional(Type.String({ description: "Objective; required for a new goal." })),
    status: described(Type.Optional(ThreadGoalStatus), "Status; `active` for a new goal."),
    token_budget: Type.Optional(
      Nullable(Type.Integer(), { description: "Token budget; null for no limit." }),
    ),
  },
  {
    $id: "SetThreadGoalOp",
    description:
      "Sets the goal of the thread, or changes fields of it. Answered by `thread_goal_updated`. An active goal starts turns while the thread is idle.",
  },
);
export interface SetThreadGoalOp extends Static<typeof SetThreadGoalOp> {}

export const ClearThreadGoalOp = Type.Object(
  { type: Type.Literal("clear_thread_goal") },
  {
    $id: "ClearThreadGoalOp",
    description: "Removes the goal of the thread. Answered by `thread_goal_cleared`.",
  },
);
export interface ClearThreadGoalOp extends Static<typeof ClearThreadGoalOp> {}

const queuedId = Type.String({ description: "Id of the queued input." });

export const QueueAddOp = Type.Object(
  {
    type: Type.Literal("queue_add"),
    items: Type.Array(InputItem, { description: "User input." }),
    id: Type.Optional(Type.String({ description: "Id for the queued input." })),
    client_id: Type.Optional(Type.String({ description: "The client's own id of the message." })),
  },
  {
    $id: "QueueAddOp",
    description:
      "Queues input for a separate turn after the running one; if none is running, the turn starts. Answered by `submission_accepted`.",
  },
);
export interface QueueAddOp extends Static<typeof QueueAddOp> {}

export const QueueUpdateOp = Type.Object(
  {
    type: Type.Literal("queue_update"),
    id: queuedId,
    items: Type.Array(InputItem, { description: "New input." }),
  },
  {
    $id: "QueueUpdateOp",
    description: "Changes queued input. Answered by `submission_accepted`.",
  },
);
export interface QueueUpdateOp extends Static<typeof QueueUpdateOp> {}

export const QueueDeleteOp = Type.Object(
  { type: Type.Literal("queue_delete"), id: queuedId },
  {
    $id: "QueueDeleteOp",
    description: "Removes queued input, if it is queued. Answered by `submission_accepted`.",
  },
);
export interface QueueDeleteOp extends Static<typeof QueueDeleteOp> {}

export const QueueReorderOp = Type.Object(
  {
    type: Type.Literal("queue_reorder"),
    ids: Type.Array(Type.String(), { description: "All ids of the queue, in the new order." }),
  },
  { $id: "QueueReorderOp", description: "Reorders the queue. Answered by `submission_accepted`." },
);
export interface QueueReorderOp extends Static<typeof QueueReorderOp> {}

export const QueueStartOp = Type.Object(
  {
    type: Type.Literal("queue_start"),
    id: Type.Optional(
      Type.String({ description: "Id of the queued input; the first by default." }),
    ),
  },
  {
    $id: "QueueStartOp",
    description:
      "Starts a turn with queued input, as after an interrupt. Answered by `submission_accepted`.",
  },
);
export interface QueueStartOp extends Static<typeof QueueStartOp> {}

export const ContinueThreadOp = Type.Object(
  { type: Type.Literal("continue_thread") },
  {
    $id: "ContinueThreadOp",
    description:
      "Continues a resumed thread: starts a turn with queued input or for an active goal, if the thread is idle. Not answered.",
  },
);
export interface ContinueThreadOp extends Static<typeof ContinueThreadOp> {}
