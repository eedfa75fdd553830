import Type, { type Static } from "typebox";
import { PermissionProfile, UserInputQuestion } from "../../approval.js";
import { described, Nullish, onRequest } from "../../schema.js";
import { callId, turnId } from "./fields.js";

export const RequestPermissionsEvent = Type.Object(
  {
    type: Type.Literal("request_permissions"),
    call_id: callId,
    turn_id: Type.String({ description: "Turn id." }),
    environmentId: Type.Optional(Type.String({ description: "Always `local`." })),
    started_at_ms: Type.Integer({ description: "Time of the request, in Unix milliseconds." }),
    reason: Nullish(Type.String(), { description: "Reason given by the model." }),
    permissions: described(PermissionProfile, "Requested permissions, with absolute paths."),
    cwd: Type.Optional(Type.String({ description: "Working directory of the turn." })),
  },
  {
    $id: "RequestPermissionsEvent",
    description:
      "The model requests permissions beyond the sandbox policy. Answered by `request_permissions_response`.",
  },
);
export interface RequestPermissionsEvent extends Static<typeof RequestPermissionsEvent> {}

export const RequestUserInputEvent = Type.Object(
  {
    type: Type.Literal("request_user_input"),
    call_id: callId,
    turn_id: turnId,
    questions: Type.Array(UserInputQuestion, { description: "Questions to the user." }),
  },
  {
    $id: "RequestUserInputEvent",
    description: "The model asks the user questions. Answered by `user_input_answer`.",
  },
);
export interface RequestUserInputEvent extends Static<typeof RequestUserInputEvent> {}

export const QuestionAnsweredEvent = onRequest(
  "current",
  Type.Object(
    {
      type: Type.Literal("question_answered"),
      key: Type.String({
        description: "Call id of the request; for an elicitation the server and the id.",
      }),
      op: Type.Unknown({ description: "The op that answers it." }),
      client: Type.Optional(Type.String({ description: "Name of the client that answered." })),
      gateway: Type.Optional(Type.String({ description: "Gateway that the client used." })),
      answered_at_ms: Type.Optional(
        Type.Integer({ description: "Time of the answer, in Unix milliseconds." }),
      ),
    },
    {
      $id: "QuestionAnsweredEvent",
      description:
        "A request for an approval or for input was answered. Only the log of a fleet's thread has it.",
    },
  ),
);
export interface QuestionAnsweredEvent extends Static<typeof QuestionAnsweredEvent> {}
