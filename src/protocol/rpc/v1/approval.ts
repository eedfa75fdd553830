import Type, { type Static } from "typebox";
import { ReviewDecision } from "../../approval.js";
import { described } from "../../schema.js";
import { FileChange } from "../../sqeq/events/patch.js";
import { defineServerRequest } from "../declare.js";

const conversationId = Type.String({ description: "The conversation that asks." });
const callId = Type.String({ description: "The call that waits." });
const reason = Type.Optional(Type.String({ description: "Why it is asked." }));

export const ExecCommandApprovalParams = Type.Object(
  {
    conversationId,
    callId,
    command: Type.Array(Type.String(), { description: "The program and its arguments." }),
    cwd: Type.String({ description: "Where it would run." }),
    reason,
  },
  { $id: "ExecCommandApprovalParams", description: "Asks whether a command may run." },
);
export interface ExecCommandApprovalParams extends Static<typeof ExecCommandApprovalParams> {}

export const ApplyPatchApprovalParams = Type.Object(
  {
    conversationId,
    callId,
    fileChanges: Type.Record(Type.String(), FileChange, { description: "By path." }),
    reason,
    grantRoot: Type.Optional(
      Type.String({ description: "A folder that would be writable from then on." }),
    ),
  },
  { $id: "ApplyPatchApprovalParams", description: "Asks whether files may be changed." },
);
export interface ApplyPatchApprovalParams extends Static<typeof ApplyPatchApprovalParams> {}

export const ExecCommandApprovalResponse = Type.Object(
  { decision: described(ReviewDecision, "The decision of the user.") },
  {
    $id: "ExecCommandApprovalResponse",
    description: "Answers `execCommandApproval`; any other answer counts as `denied`.",
  },
);
export interface ExecCommandApprovalResponse extends Static<typeof ExecCommandApprovalResponse> {}

export const ApplyPatchApprovalResponse = Type.Object(
  { decision: described(ReviewDecision, "The decision of the user.") },
  {
    $id: "ApplyPatchApprovalResponse",
    description: "Answers `applyPatchApproval`; any other answer counts as `denied`.",
  },
);
export interface ApplyPatchApprovalResponse extends Static<typeof ApplyPatchApprovalResponse> {}

export const approvalRequests = [
  defineServerRequest({
    name: "execCommandApproval",
    summary: "Asks the user to approve a command.",
    scope: "thread",
    params: ExecCommandApprovalParams,
    result: ExecCommandApprovalResponse,
  }),
  defineServerRequest({
    name: "applyPatchApproval",
    summary: "Asks the user to approve file changes.",
    scope: "thread",
    params: ApplyPatchApprovalParams,
    result: ApplyPatchApprovalResponse,
  }),
];
