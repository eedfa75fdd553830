import Type, { type Static } from "typebox";
import { ReviewDecision } from "../../approval.js";
import { described } from "../../schema.js";
import { FileChange } from "../../sqeq/events/patch.js";
import { defineServerRequest } from "../declare.js";

const conversationId = Type.String({ description: "Conversation id." });
const callId = Type.String({ description: "Tool call id." });
const agentPath = Type.Optional(
  Type.String({ description: "Path of the helper agent that asks, such as `/root/tests`." }),
);
const reason = Type.Optional(Type.String({ description: "Reason for the request." }));

export const ExecCommandApprovalParams = Type.Object(
  {
    conversationId,
    callId,
    command: Type.Array(Type.String(), { description: "Program and arguments." }),
    cwd: Type.String({ description: "Working directory." }),
    reason,
    agentPath,
  },
  { $id: "ExecCommandApprovalParams", description: "Requests approval of a command." },
);
export interface ExecCommandApprovalParams extends Static<typeof ExecCommandApprovalParams> {}

export const ApplyPatchApprovalParams = Type.Object(
  {
    conversationId,
    callId,
    fileChanges: Type.Record(Type.String(), FileChange, { description: "File changes by path." }),
    reason,
    grantRoot: Type.Optional(
      Type.String({ description: "Directory that becomes writable if approved." }),
    ),
    agentPath,
  },
  { $id: "ApplyPatchApprovalParams", description: "Requests approval of file changes." },
);
export interface ApplyPatchApprovalParams extends Static<typeof ApplyPatchApprovalParams> {}

export const ExecCommandApprovalResponse = Type.Object(
  { decision: described(ReviewDecision, "The user's decision.") },
  {
    $id: "ExecCommandApprovalResponse",
    description: "Result of `execCommandApproval`. Any other result means `denied`.",
  },
);
export interface ExecCommandApprovalResponse extends Static<typeof ExecCommandApprovalResponse> {}

export const ApplyPatchApprovalResponse = Type.Object(
  { decision: described(ReviewDecision, "The user's decision.") },
  {
    $id: "ApplyPatchApprovalResponse",
    description: "Result of `applyPatchApproval`. Any other result means `denied`.",
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
