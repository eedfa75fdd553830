import Type, { type Static } from "typebox";
import { ReviewDecision } from "../approval.js";
import { described } from "../schema.js";

export const PatchApprovalOp = Type.Object(
  {
    type: Type.Literal("patch_approval"),
    id: Type.String({ description: "The `call_id` of the request being answered." }),
    decision: described(ReviewDecision, "What the user says."),
  },
  { $id: "PatchApprovalOp", description: "Answers an `apply_patch_approval_request` event." },
);
export interface PatchApprovalOp extends Static<typeof PatchApprovalOp> {}
