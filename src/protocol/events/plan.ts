import Type, { type Static } from "typebox";
import { UpdatePlanArgs } from "../plan.js";
import { itemPlace } from "./fields.js";

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
