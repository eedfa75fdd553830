import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { ThreadGoalStatus } from "../../sqeq/events/goal.js";
import { defineMethod, defineNotification } from "../declare.js";
import { ThreadNotification, ThreadParams } from "./thread.js";

const threadId = Type.String({ description: "Thread id (UUID)." });

export const ThreadGoal = Type.Object(
  {
    threadId,
    objective: Type.String({ description: "Objective." }),
    status: described(ThreadGoalStatus, "Status."),
    tokenBudget: Nullable(Type.Integer(), { description: "Token budget." }),
    tokensUsed: Type.Integer({ description: "Tokens used." }),
    timeUsedSeconds: Type.Integer({ description: "Time spent, in seconds." }),
    createdAt: Type.Integer({ description: "Creation time in Unix seconds." }),
    updatedAt: Type.Integer({ description: "Time of the last change in Unix seconds." }),
  },
  { $id: "ThreadGoal", description: "Goal of a thread." },
);
export interface ThreadGoal extends Static<typeof ThreadGoal> {}

export const ThreadGoalSetParams = Type.Object(
  {
    threadId,
    origin: Type.Optional(Type.Enum(["user", "automatic"], { description: "Origin of the goal." })),
    objective: Type.Optional(Type.String({ description: "Objective; required for a new goal." })),
    status: described(Type.Optional(ThreadGoalStatus), "Status."),
    tokenBudget: Type.Optional(
      Nullable(Type.Integer(), { description: "Token budget; null for no limit." }),
    ),
  },
  {
    $id: "ThreadGoalSetParams",
    description: "Params of `thread/goal/set`: a goal, or the fields to change.",
  },
);
export interface ThreadGoalSetParams extends Static<typeof ThreadGoalSetParams> {}

export const ThreadGoalSetResponse = Type.Object(
  { goal: described(ThreadGoal, "Current goal.") },
  { $id: "ThreadGoalSetResponse", description: "Result of `thread/goal/set`." },
);
export interface ThreadGoalSetResponse extends Static<typeof ThreadGoalSetResponse> {}

export const ThreadGoalGetResponse = Type.Object(
  { goal: Nullable(ThreadGoal, { description: "Goal; null if unset." }) },
  { $id: "ThreadGoalGetResponse", description: "Result of `thread/goal/get`." },
);
export interface ThreadGoalGetResponse extends Static<typeof ThreadGoalGetResponse> {}

export const ThreadGoalClearResponse = Type.Object(
  { cleared: Type.Boolean({ description: "True if a goal was set." }) },
  { $id: "ThreadGoalClearResponse", description: "Result of `thread/goal/clear`." },
);
export interface ThreadGoalClearResponse extends Static<typeof ThreadGoalClearResponse> {}

export const ThreadGoalUpdatedNotification = Type.Object(
  {
    threadId,
    turnId: Nullable(Type.String(), { description: "Turn that changed it, if any." }),
    goal: described(ThreadGoal, "Current goal."),
  },
  { $id: "ThreadGoalUpdatedNotification", description: "The goal of a thread changed." },
);
export interface ThreadGoalUpdatedNotification
  extends Static<typeof ThreadGoalUpdatedNotification> {}

export const goalMethods = [
  defineMethod({
    name: "thread/goal/set",
    summary:
      "Sets the goal of a thread. While it is active and the thread idle, turns start without input.",
    scope: "thread",
    params: ThreadGoalSetParams,
    result: ThreadGoalSetResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/goal/get",
    summary: "Returns the goal of a thread.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadGoalGetResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/goal/clear",
    summary: "Clears the goal of a thread.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadGoalClearResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/goal/updated",
    summary: "The goal of a thread changed.",
    scope: "server",
    params: ThreadGoalUpdatedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/goal/cleared",
    summary: "The goal of a thread was cleared.",
    scope: "server",
    params: ThreadNotification,
    since: "0.166",
  }),
];
