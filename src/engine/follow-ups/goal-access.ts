import { CodexError } from "../../protocol/error.js";
import type { Goal } from "../../protocol/types.js";
import type { GoalAccess } from "../../tools/index.js";
import { completionReport } from "./goal-texts.js";
import type { Goals } from "./goals.js";

/**
 * Access of a tool call to the goal; `spent` are the tokens of the session when the call started.
 *
 * The response that makes the call is counted with the next one, whether or not it is complete yet.
 */
export function goalAccess(goals: Goals, spent: number): GoalAccess {
  return {
    get() {
      const text = describe(goals.current);
      goals.count({ spent });
      return text;
    },
    create(objective, tokenBudget) {
      try {
        return describe(goals.create({ objective, tokenBudget }, spent));
      } finally {
        goals.count({ spent });
      }
    },
    update(status) {
      const goal = goals.update(status, spent);
      if (goal === undefined) {
        throw new CodexError("not_found", "cannot update goal because this thread has no goal");
      }
      return describe(goal, status === "complete" ? completionReport(goal) : null);
    },
  };
}

function describe(goal: Goal | undefined, report: string | null = null): string {
  const { tokenBudget = null, tokensUsed = 0 } = goal ?? {};
  const remainingTokens = tokenBudget === null ? null : Math.max(0, tokenBudget - tokensUsed);
  return JSON.stringify({
    goal: goal === undefined ? null : ordered(goal),
    remainingTokens,
    completionBudgetReport: report,
  });
}

/** The fields in the order of the reference. */
function ordered(goal: Goal): Goal {
  const { threadId, objective, status, tokenBudget, ...counts } = goal;
  const budget = tokenBudget == null ? {} : { tokenBudget };
  const { tokensUsed, timeUsedSeconds, createdAt, updatedAt } = counts;
  return {
    threadId,
    objective,
    status,
    ...budget,
    tokensUsed,
    timeUsedSeconds,
    createdAt,
    updatedAt,
  };
}
