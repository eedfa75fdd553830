import Type, { type Static } from "typebox";
import { ReviewDecision } from "../approval.js";
import { described } from "../schema.js";

export const ExecApprovalOp = Type.Object(
  {
    type: Type.Literal("exec_approval"),
    id: Type.String({ description: "The `call_id` of the request being answered." }),
    decision: described(ReviewDecision, "What the user says."),
  },
  { $id: "ExecApprovalOp", description: "Answers an `exec_approval_request` event." },
);
export interface ExecApprovalOp extends Static<typeof ExecApprovalOp> {}
