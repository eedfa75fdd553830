import Type, { type Static } from "typebox";
import { RequestPermissionsResponse, ReviewDecision, UserInputResponse } from "../../approval.js";
import { described } from "../../schema.js";
import { DynamicToolResponse } from "../events/tool.js";

export const ExecApprovalOp = Type.Object(
  {
    type: Type.Literal("exec_approval"),
    id: Type.String({ description: "`call_id` of the request." }),
    decision: described(ReviewDecision, "The user's decision."),
  },
  { $id: "ExecApprovalOp", description: "Answers an `exec_approval_request` event." },
);
export interface ExecApprovalOp extends Static<typeof ExecApprovalOp> {}

export const PatchApprovalOp = Type.Object(
  {
    type: Type.Literal("patch_approval"),
    id: Type.String({ description: "`call_id` of the request." }),
    decision: described(ReviewDecision, "The user's decision."),
  },
  { $id: "PatchApprovalOp", description: "Answers an `apply_patch_approval_request` event." },
);
export interface PatchApprovalOp extends Static<typeof PatchApprovalOp> {}

export const UserInputAnswerOp = Type.Object(
  {
    type: Type.Literal("user_input_answer"),
    id: Type.String({ description: "Turn id or `call_id` of the request." }),
    response: described(UserInputResponse, "The answers."),
  },
  { $id: "UserInputAnswerOp", description: "Answers a `request_user_input` event." },
);
export interface UserInputAnswerOp extends Static<typeof UserInputAnswerOp> {}

export const RequestPermissionsResponseOp = Type.Object(
  {
    type: Type.Literal("request_permissions_response"),
    id: Type.String({ description: "The `call_id` of the request." }),
    response: described(RequestPermissionsResponse, "Granted permissions."),
  },
  { $id: "RequestPermissionsResponseOp", description: "Answers a `request_permissions` event." },
);
export interface RequestPermissionsResponseOp extends Static<typeof RequestPermissionsResponseOp> {}

export const ElicitationAction = Type.Enum(["accept", "decline", "cancel"], {
  $id: "ElicitationAction",
  description: "Response to an elicitation of an MCP server.",
});
/** Response to an elicitation of an MCP server. */
export type ElicitationAction = Static<typeof ElicitationAction>;

export const ResolveElicitationOp = Type.Object(
  {
    type: Type.Literal("resolve_elicitation"),
    server_name: Type.String({ description: "Name of the MCP server." }),
    request_id: Type.Union([Type.String(), Type.Number()], {
      description: "`id` of the request.",
    }),
    decision: described(ElicitationAction, "The user's response."),
    content: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "Values of the form." }),
    ),
  },
  { $id: "ResolveElicitationOp", description: "Answers an `elicitation_request` event." },
);
export interface ResolveElicitationOp extends Static<typeof ResolveElicitationOp> {}

export const DynamicToolResponseOp = Type.Object(
  {
    type: Type.Literal("dynamic_tool_response"),
    id: Type.String({ description: "`callId` of the request." }),
    response: described(DynamicToolResponse, "Result of the call."),
  },
  { $id: "DynamicToolResponseOp", description: "Answers a `dynamic_tool_call_request` event." },
);
export interface DynamicToolResponseOp extends Static<typeof DynamicToolResponseOp> {
  response: DynamicToolResponse;
}

export const ApproveGuardianDeniedActionOp = Type.Object(
  {
    type: Type.Literal("approve_guardian_denied_action"),
    event: Type.Object(
      { id: Type.String({ description: "Id of the review." }) },
      { description: "The `guardian_assessment` event of the denial." },
    ),
  },
  {
    $id: "ApproveGuardianDeniedActionOp",
    description:
      "Overrules a denial of the automatic reviewer: the action is approved once, when the model tries it again, and the model is informed. Answered by `submission_accepted`.",
  },
);
export interface ApproveGuardianDeniedActionOp
  extends Static<typeof ApproveGuardianDeniedActionOp> {}
