import Type, { type Static } from "typebox";
import { UserInputQuestion } from "../user-input-request.js";
import { callId, turnId } from "./fields.js";

export const RequestUserInputEvent = Type.Object(
  {
    type: Type.Literal("request_user_input"),
    call_id: callId,
    turn_id: turnId,
    questions: Type.Array(UserInputQuestion, { description: "What the model wants to know." }),
  },
  {
    $id: "RequestUserInputEvent",
    description: "The model asks the user; answered by `user_input_answer`.",
  },
);
export interface RequestUserInputEvent extends Static<typeof RequestUserInputEvent> {}
