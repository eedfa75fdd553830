import Type, { type Static } from "typebox";
import { InputItem } from "../../items/input.js";
import { described, Nullish, taggedUnion } from "../../schema.js";

export const ThreadGoalStatus = Type.Enum(
  ["active", "paused", "blocked", "usageLimited", "budgetLimited", "complete"],
  {
    $id: "ThreadGoalStatus",
    description: "Status of a goal; turns start without input while `active`.",
  },
);
/** Status of a goal. */
export type ThreadGoalStatus = Static<typeof ThreadGoalStatus>;

export const Goal = Type.Object(
  {
    threadId: Type.String({ description: "Thread id." }),
    objective: Type.String({ description: "Objective." }),
    status: described(ThreadGoalStatus, "Status."),
    tokenBudget: Nullish(Type.Integer(), { description: "Token budget, if any." }),
    tokensUsed: Type.Integer({
      description: "Tokens used while it was active: input that was not cached, and output.",
    }),
    timeUsedSeconds: Type.Integer({ description: "Time of turns while it was active." }),
    createdAt: Type.Integer({ description: "Creation time in Unix seconds." }),
    updatedAt: Type.Integer({ description: "Time of the last change in Unix seconds." }),
  },
  { $id: "Goal", description: "Goal of a thread, in the format of rollouts." },
);
export interface Goal extends Static<typeof Goal> {}

export const ThreadGoalUpdatedEvent = Type.Object(
  {
    type: Type.Literal("thread_goal_updated"),
    threadId: Type.String({ description: "Thread id." }),
    turnId: Nullish(Type.String(), { description: "Turn that changed it, if any." }),
    goal: described(Goal, "Current goal."),
  },
  { $id: "ThreadGoalUpdatedEvent", description: "The goal of the thread changed." },
);
export interface ThreadGoalUpdatedEvent extends Static<typeof ThreadGoalUpdatedEvent> {}

export const ThreadGoalClearedEvent = Type.Object(
  {
    type: Type.Literal("thread_goal_cleared"),
    threadId: Type.String({ description: "Thread id." }),
  },
  { $id: "ThreadGoalClearedEvent", description: "The thread has no goal any more." },
);
export interface ThreadGoalClearedEvent extends Static<typeof ThreadGoalClearedEvent> {}

export const QueuedInput = Type.Object(
  {
    id: Type.String({ description: "Id of the queued input." }),
    items: Type.Array(InputItem, { description: "User input." }),
    client_id: Nullish(Type.String(), { description: "Id that the client gave the message." }),
  },
  { $id: "QueuedInput", description: "User input that starts a turn after the running one." },
);
export interface QueuedInput extends Static<typeof QueuedInput> {}

export const QueueInputAdded = Type.Object(
  {
    type: Type.Literal("added"),
    input: described(QueuedInput, "Added at the end."),
  },
  { $id: "QueueInputAdded", description: "Input was added to the queue." },
);
export const QueueInputReturned = Type.Object(
  {
    type: Type.Literal("returned"),
    input: described(QueuedInput, "Put in front again."),
  },
  { $id: "QueueInputReturned", description: "The turn of an input ended before it had begun." },
);
export const QueueInputUpdated = Type.Object(
  {
    type: Type.Literal("updated"),
    id: Type.String({ description: "Id of the queued input." }),
    items: Type.Array(InputItem, { description: "New input." }),
  },
  { $id: "QueueInputUpdated", description: "Queued input was changed." },
);
export const QueueInputRemoved = Type.Object(
  {
    type: Type.Literal("removed"),
    id: Type.String({ description: "Id of the queued input." }),
  },
  { $id: "QueueInputRemoved", description: "Queued input was removed." },
);
export const QueueInputStarted = Type.Object(
  {
    type: Type.Literal("started"),
    id: Type.String({ description: "Id of the queued input." }),
    turn_id: Type.String({ description: "Turn that it starts." }),
  },
  { $id: "QueueInputStarted", description: "Queued input starts a turn." },
);
export const QueueReordered = Type.Object(
  {
    type: Type.Literal("reordered"),
    ids: Type.Array(Type.String(), { description: "Ids of the queued input, in order." }),
  },
  { $id: "QueueReordered", description: "The queue was reordered." },
);

/** Change of the queue of a thread. */
export type QueueChange =
  | Static<typeof QueueInputAdded>
  | Static<typeof QueueInputReturned>
  | Static<typeof QueueInputUpdated>
  | Static<typeof QueueInputRemoved>
  | Static<typeof QueueInputStarted>
  | Static<typeof QueueReordered>;
export const QueueChange = taggedUnion(
  "QueueChange",
  "type",
  [
    QueueInputAdded,
    QueueInputReturned,
    QueueInputUpdated,
    QueueInputRemoved,
    QueueInputStarted,
    QueueReordered,
  ],
  "Change of the queue of a thread.",
);

export const ThreadQueueChangedEvent = Type.Object(
  {
    type: Type.Literal("thread_queue_changed"),
    change: described(QueueChange, "The change."),
  },
  { $id: "ThreadQueueChangedEvent", description: "The queue of the thread changed." },
);
export interface ThreadQueueChangedEvent extends Static<typeof ThreadQueueChangedEvent> {
  change: QueueChange;
}
