import { CodexError } from "../protocol/error.js";
import { defineTool, offersAll, standaloneTool, type ToolChoice } from "./define-tool.js";
import { parameters, suggested } from "./parameters.js";
import {
  failed,
  type GoalAccess,
  ok,
  type ToolContext,
  type ToolOutput,
  type ToolTurn,
} from "./tool.js";

/** Returns the goal of the thread. */
export const getGoal = standaloneTool({
  since: "0.166",
  offeredIn,
  tool: defineTool({
    name: "get_goal",
    description:
      "Returns the goal of this thread, if it has one: objective, status, budget, and the tokens and time used.",
    input: parameters({}, []),
    run: (_, context) => withGoal(context, (goal) => goal.get()),
  }),
});

/** Sets a goal; turns start without input until it is reached. */
export const createGoal = standaloneTool({
  since: "0.166",
  offeredIn,
  tool: defineTool({
    name: "create_goal",
    description:
      "Sets a goal for this thread: after each turn another one follows by itself until the goal is complete. " +
      "Use it only if the user or your instructions ask for a goal; an ordinary task needs none. " +
      "It fails while another goal is unfinished.",
    input: parameters(
      {
        objective: {
          type: "string",
          description: "What is to be achieved, so concrete that its completion can be checked.",
        },
        token_budget: {
          type: "integer",
          description: "Tokens after which the work stops; only if the user named a budget.",
        },
      },
      ["objective"],
    ),
    run: ({ objective, token_budget }, context) =>
      withGoal(context, (goal) => goal.create(objective, token_budget)),
  }),
});

const statuses = ["complete", "blocked", "paused"] as const;

/** Ends the work on the goal. */
export const updateGoal = standaloneTool({
  since: "0.166",
  offeredIn,
  tool: defineTool({
    name: "update_goal",
    description:
      "Ends the work on the goal of this thread. `complete`: everything that it asks for is done and checked. " +
      "`blocked`: the same obstacle stopped three turns in a row and only the user can remove it. " +
      "`paused`: only if the user asks for it.",
    input: parameters(
      {
        status: { type: "string", description: "The new status.", [suggested]: statuses },
      },
      ["status"],
    ),
    run: async ({ status }, context) => {
      const known = statuses.find((one) => one === status);
      if (known === undefined) return failed(notYours);
      return withGoal(context, (goal) => goal.update(known));
    },
  }),
});

const notYours =
  "update_goal can only mark the existing goal complete, blocked, or paused at the user's explicit request; " +
  "resume, budget-limited, and usage-limited status changes are controlled by the user or system";

function offeredIn(turn: ToolTurn, choice: ToolChoice): boolean {
  return choice.goals && !turn.isReview && offersAll(turn, choice);
}

async function withGoal(
  { goal }: ToolContext,
  run: (goal: GoalAccess) => string,
): Promise<ToolOutput> {
  const access = await goal?.();
  if (access === undefined) return failed("There are no goals here.");
  try {
    return ok(run(access));
  } catch (error) {
    if (error instanceof CodexError) return failed(error.message);
    throw error;
  }
}
