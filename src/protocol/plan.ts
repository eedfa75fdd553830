import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

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
