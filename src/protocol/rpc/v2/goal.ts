import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { ThreadNotification, ThreadParams } from "./thread.js";

const threadId = Type.String({ description: "The thread, by its UUID." });

export const ThreadGoalStatus = Type.Enum(
  ["active", "paused", "blocked", "usageLimited", "budgetLimited", "complete"],
  { $id: "ThreadGoalStatus", description: "How it stands with a goal." },
);
/** How it stands with a goal. */
export type ThreadGoalStatus = Static<typeof ThreadGoalStatus>;

export const ThreadGoal = Type.Object(
  {
    threadId,
    objective: Type.String({ description: "What is to be reached." }),
    status: described(ThreadGoalStatus, "How it stands with it."),
    tokenBudget: Nullable(Type.Integer(), { description: "How many tokens it may cost." }),
    tokensUsed: Type.Integer({ description: "How many it has cost." }),
    timeUsedSeconds: Type.Integer({ description: "How long it has been worked on." }),
    createdAt: Type.Integer({ description: "When it was set, in Unix seconds." }),
    updatedAt: Type.Integer({ description: "When it last changed, in Unix seconds." }),
  },
  { $id: "ThreadGoal", description: "What the user wants to reach in a thread." },
);
export interface ThreadGoal extends Static<typeof ThreadGoal> {}

export const ThreadGoalSetParams = Type.Object(
  {
    threadId,
    origin: Type.Optional(Type.Enum(["user", "automatic"], { description: "Who sets it." })),
    objective: Type.Optional(
      Type.String({ description: "What is to be reached; needed for a new goal." }),
    ),
    status: described(Type.Optional(ThreadGoalStatus), "How it stands with it."),
    tokenBudget: Type.Optional(
      Nullable(Type.Integer({ minimum: 0 }), { description: "How many tokens; no limit: null." }),
    ),
  },
  { $id: "ThreadGoalSetParams", description: "A goal, or what of it changes." },
);
export interface ThreadGoalSetParams extends Static<typeof ThreadGoalSetParams> {}

export const ThreadGoalSetResponse = Type.Object(
  { goal: described(ThreadGoal, "The goal as it is now.") },
  { $id: "ThreadGoalSetResponse", description: "Answers `thread/goal/set`." },
);
export interface ThreadGoalSetResponse extends Static<typeof ThreadGoalSetResponse> {}

export const ThreadGoalGetResponse = Type.Object(
  { goal: Nullable(ThreadGoal, { description: "The goal, if there is one." }) },
  { $id: "ThreadGoalGetResponse", description: "Answers `thread/goal/get`." },
);
export interface ThreadGoalGetResponse extends Static<typeof ThreadGoalGetResponse> {}

export const ThreadGoalClearResponse = Type.Object(
  { cleared: Type.Boolean({ description: "Whether there was one." }) },
  { $id: "ThreadGoalClearResponse", description: "Answers `thread/goal/clear`." },
);
export interface ThreadGoalClearResponse extends Static<typeof ThreadGoalClearResponse> {}

export const ThreadGoalUpdatedNotification = Type.Object(
  {
    threadId,
    turnId: Nullable(Type.String(), { description: "The turn that changed it, if one did." }),
    goal: described(ThreadGoal, "The goal as it is now."),
  },
  { $id: "ThreadGoalUpdatedNotification", description: "The goal of a thread has changed." },
);
export interface ThreadGoalUpdatedNotification
  extends Static<typeof ThreadGoalUpdatedNotification> {}

export const goalMethods = [
  defineMethod({
    name: "thread/goal/set",
    summary: "Sets the goal of a thread. It is stored and shown; the model does not see it.",
    scope: "thread",
    params: ThreadGoalSetParams,
    result: ThreadGoalSetResponse,
  }),
  defineMethod({
    name: "thread/goal/get",
    summary: "Returns the goal of a thread.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadGoalGetResponse,
  }),
  defineMethod({
    name: "thread/goal/clear",
    summary: "Clears the goal of a thread.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadGoalClearResponse,
  }),
  defineNotification({
    name: "thread/goal/updated",
    summary: "The goal of a thread changed.",
    scope: "server",
    params: ThreadGoalUpdatedNotification,
  }),
  defineNotification({
    name: "thread/goal/cleared",
    summary: "The goal of a thread was cleared.",
    scope: "server",
    params: ThreadNotification,
  }),
];
