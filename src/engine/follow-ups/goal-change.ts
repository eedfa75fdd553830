import { CodexError } from "../../protocol/error.js";
import type { Goal, ThreadGoalStatus } from "../../protocol/types.js";

/** Fields of a goal to set; omitted ones stay. */
export interface GoalChange {
  objective?: string | undefined;
  status?: ThreadGoalStatus | undefined;
  /** Null removes the budget. */
  tokenBudget?: number | null | undefined;
}

/** The thread of a goal and the current time in milliseconds. */
interface GoalPlace {
  threadId: string;
  now: number;
}

/**
 * Returns the goal after a change by the user or the model; a complete goal is replaced by a new
 * objective.
 *
 * Throws `invalid_request` with the messages that clients know.
 */
export function changeGoal(
  before: Goal | undefined,
  change: GoalChange,
  { threadId, now }: GoalPlace,
): Goal {
  const objective = change.objective?.trim();
  if (objective === "") throw invalid("goal objective must not be empty");
  if (objective !== undefined && [...objective].length > maxObjective) {
    throw invalid(`goal objective must be at most ${maxObjective} characters`);
  }
  const { tokenBudget: budget } = change;
  if (budget != null && budget <= 0) throw invalid("goal budgets must be positive when provided");
  const isNew = objective !== undefined && (before === undefined || before.status === "complete");
  const seconds = Math.floor(now / 1000);
  const old = isNew ? newGoal(threadId, objective, seconds) : before;
  if (old === undefined) {
    throw invalid(`cannot update goal for thread ${threadId}: no goal exists`);
  }
  const { tokenBudget: oldBudget, ...fields } = old;
  const limit = budget === undefined ? oldBudget : budget;
  const goal = {
    ...fields,
    threadId,
    objective: objective ?? old.objective,
    status: change.status ?? old.status,
    ...(limit == null ? {} : { tokenBudget: limit }),
    updatedAt: seconds,
  };
  return limited(goal);
}

/** Returns an active goal as limited if its budget is used up. */
export function limited(goal: Goal): Goal {
  const { tokenBudget, tokensUsed, status } = goal;
  const isOver = status === "active" && tokenBudget != null && tokensUsed >= tokenBudget;
  return isOver ? { ...goal, status: "budgetLimited" } : goal;
}

function newGoal(threadId: string, objective: string, createdAt: number): Goal {
  return {
    threadId,
    objective,
    status: "active",
    tokensUsed: 0,
    timeUsedSeconds: 0,
    createdAt,
    updatedAt: createdAt,
  };
}

const maxObjective = 4000;

function invalid(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
