import Type, { type Static } from "typebox";
import { described } from "../schema.js";
import { UserInputResponse } from "../user-input-request.js";

export const UserInputAnswerOp = Type.Object(
  {
    type: Type.Literal("user_input_answer"),
    id: Type.String({ description: "The turn that asked, or the `call_id` of the request." }),
    response: described(UserInputResponse, "The answers."),
  },
  { $id: "UserInputAnswerOp", description: "Answers a `request_user_input` event." },
);
export interface UserInputAnswerOp extends Static<typeof UserInputAnswerOp> {}
