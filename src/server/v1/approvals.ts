import type { Era } from "../../compat/index.js";
import { RpcError } from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/record.js";
import { parseReviewDecision } from "../../protocol/read/review-decision.js";
import type {
  ApplyPatchApprovalParams,
  ExecCommandApprovalParams,
} from "../../protocol/rpc/v1/approval.js";
import type { Event, ReviewDecision } from "../../protocol/types.js";
import { toEraShape } from "../era-shape.js";
import type { Thread } from "../thread/index.js";
import type { V1Connection } from "./connection.js";

/** Asks a client what an event asks for; whichever client answers first decides. */
export function askForApproval(event: Event, thread: Thread, { peer, server }: V1Connection): void {
  const request = toApprovalRequest(event, thread.id, server.parts.era);
  if (request === undefined) {
    declinePermissions(event, thread);
    return;
  }
  const { method, params, callId } = request;
  const signal = thread.approvals.signalOf(callId);
  if (signal === undefined) return;
  void peer.request(method, params, signal).then(
    (answer) => decide(event, thread, readDecision(answer)),
    (error: unknown) => {
      // A client that says no to the question says no to what is asked; one that is gone says nothing.
      const isRefusal = error instanceof RpcError && !peer.signal.aborted && !signal.aborted;
      if (isRefusal) decide(event, thread, "denied");
    },
  );
}

/** Gives the answer to the engine, unless another client was faster. */
export function decide({ msg }: Event, thread: Thread, decision: ReviewDecision): void {
  if (msg.type !== "exec_approval_request" && msg.type !== "apply_patch_approval_request") return;
  if (!thread.approvals.settle(msg.call_id)) return;
  const type = msg.type === "exec_approval_request" ? "exec_approval" : "patch_approval";
  thread.submit({ type, id: msg.call_id, decision });
}

/** Says no to what clients of this surface cannot be asked: for more permissions. */
export function declinePermissions({ msg }: Event, thread: Thread): void {
  if (msg.type !== "request_permissions" || !thread.approvals.settle(msg.call_id)) return;
  const response = { permissions: {}, scope: "turn" } as const;
  thread.submit({ type: "request_permissions_response", id: msg.call_id, response });
}

/** What an answer says; one that does not parse counts as no. */
export function readDecision(answer: unknown): ReviewDecision {
  try {
    return parseReviewDecision(isRecord(answer) ? answer.decision : answer);
  } catch {
    return "denied"; // the only safe reading
  }
}

/** A question to the client. */
interface ApprovalRequest {
  method: string;
  params: object;
  callId: string;
}

/** The question that an event stands for, in the spelling of the era; nothing for other events. */
function toApprovalRequest(
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
