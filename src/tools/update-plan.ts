import { defineTool } from "./define-tool.js";
import { hint, parameters, values } from "./parameters.js";
import { failed, ok } from "./tool.js";

/** Shows the user the plan of the task and how far it has come. */
export const updatePlan = defineTool({
  name: "update_plan",
  description:
    "Shows the user the plan of the task and how far it has come. Give all steps each time; " +
    "at most one of them is in_progress.",
  input: parameters(
    {
      explanation: { type: "string", [hint]: "Why the plan is another one now, if it is." },
      plan: {
        type: "array",
        description: "All steps, in order.",
        items: parameters(
          {
            status: {
              type: "string",
              description: "One of: pending, in_progress, completed",
              [values]: ["pending", "in_progress", "completed"],
            },
            step: { type: "string", [hint]: "The step in a few words." },
          },
          ["step", "status"],
        ),
      },
    },
    ["plan"],
  ),
  async run({ explanation, plan }, { turn, emit }) {
    if (turn.collaboration_mode?.mode === "plan") {
      return failed(
        "update_plan is not allowed in Plan mode: write the plan in your answer instead",
      );
    }
    emit({ type: "plan_update", explanation: explanation ?? null, plan });
    return ok("Plan updated");
  },
});
