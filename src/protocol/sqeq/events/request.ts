import Type, { type Static } from "typebox";
import { PermissionProfile, UserInputQuestion } from "../../approval.js";
import { described, Nullish } from "../../schema.js";
import { callId, turnId } from "./fields.js";

export const RequestPermissionsEvent = Type.Object(
  {
    type: Type.Literal("request_permissions"),
    call_id: callId,
    turn_id: Type.String({ description: "The turn that asks." }),
    environmentId: Type.Optional(Type.String({ description: "Always `local`." })),
    started_at_ms: Type.Integer({ description: "When it was asked." }),
    reason: Nullish(Type.String(), { description: "Why, in the words of the model." }),
    permissions: described(PermissionProfile, "What it asks for, in real paths."),
    cwd: Type.Optional(Type.String({ description: "Where the turn works." })),
  },
  {
    $id: "RequestPermissionsEvent",
    description:
      "The model asks for more than the sandbox lets it do; answered by `request_permissions_response`.",
  },
);
export interface RequestPermissionsEvent extends Static<typeof RequestPermissionsEvent> {}

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
