import type { Era } from "../../compat/index.js";
import type {
  ApplyPatchApprovalParams,
  ExecCommandApprovalParams,
} from "../../protocol/rpc/v1/approval.js";
import type { Event } from "../../protocol/types.js";
import { toEraShape } from "../era-shape.js";

/** A question to the client. */
export interface ApprovalRequest {
  method: string;
  params: object;
  callId: string;
}

/** The question that an event stands for, in the spelling of the era; nothing for other events. */
export function toApprovalRequest(
  { msg }: Event,
  conversationId: string,
  { events, rpc }: Era,
): ApprovalRequest | undefined {
  if (msg.type === "exec_approval_request") {
    const { call_id: callId, command, cwd, reason } = msg;
    const params: ExecCommandApprovalParams = {
      conversationId,
      callId,
      command,
      cwd,
      ...(reason == null ? {} : { reason }),
    };
    return { method: "execCommandApproval", params: spelled(params, rpc.approvalParams), callId };
  }
  if (msg.type !== "apply_patch_approval_request") return undefined;
  const { call_id: callId, reason, grant_root: grantRoot } = msg;
  const { changes: fileChanges } = toEraShape(msg, events) as typeof msg;
  const params: ApplyPatchApprovalParams = {
    conversationId,
    callId,
    fileChanges,
    ...(reason == null ? {} : { reason }),
    ...(grantRoot == null ? {} : { grantRoot }),
  };
  return { method: "applyPatchApproval", params: spelled(params, rpc.approvalParams), callId };
}

function spelled(params: object, spelling: Era["rpc"]["approvalParams"]): object {
  if (spelling === "camelCase") return params;
  const entries = Object.entries(params).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries);
}
