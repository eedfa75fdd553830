import Type, { type Static } from "typebox";
import { InputItem } from "../items/input.js";

export const UserInputOp = Type.Object(
  {
    type: Type.Literal("user_input"),
    items: Type.Array(InputItem, { description: "What the user sends." }),
    final_output_json_schema: Type.Optional(
      Type.Unknown({ description: "A JSON Schema the last message of the turn is to fit." }),
    ),
    last_response_id: Type.Optional(
      Type.String({ description: "The response to go on from, if not the latest." }),
    ),
  },
  {
    $id: "UserInputOp",
    description:
      "Sends a message of the user with the settings as they are. It starts a task, or joins " +
      "the one that runs.",
  },
);
export interface UserInputOp extends Static<typeof UserInputOp> {}
