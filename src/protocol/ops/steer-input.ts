import Type, { type Static } from "typebox";
import { InputItem } from "../items/input.js";

export const SteerInputOp = Type.Object(
  {
    type: Type.Literal("steer_input"),
    items: Type.Array(InputItem, { description: "What the user sends." }),
    expected_turn_id: Type.Optional(
      Type.String({ description: "The turn it is meant for; no other one gets it." }),
    ),
  },
  {
    $id: "SteerInputOp",
    description:
      "Sends a message of the user to the turn that runs, and never starts one; answered by " +
      "`submission_accepted`.",
  },
);
export interface SteerInputOp extends Static<typeof SteerInputOp> {}
