import type { Era } from "../../compat/index.js";
import { RpcError } from "../../jsonrpc/index.js";
import type {
  ApplyPatchApprovalParams,
  ExecCommandApprovalParams,
} from "../../protocol/rpc/v1/approval.js";
import type { Event } from "../../protocol/types.js";
import type { Connection } from "../connection.js";
import { EraEvents } from "../era-shape.js";
import { declinePermissions, readDecision, submitDecision } from "../requests/request.js";
import type { Thread } from "../thread/thread.js";

/** Sends the approval request of an event to a client. The first answer of any client decides. */
export function askForApproval(event: Event, thread: Thread, { peer, server }: Connection): void {
  const request = toApprovalRequest(event, thread, server.parts.era);
  if (request === undefined) {
    declinePermissions(event, thread);
    return;
  }
  const { method, params, callId } = request;
  const signal = thread.state.requests.signal(callId);
  if (signal === undefined) return;
  void peer.request(method, params, signal).then(
    (answer) => submitDecision(event, thread, readDecision(answer)),
    (error: unknown) => {
      // An error reply of a connected client denies the request; a lost connection does not answer it.
      const isRefusal = error instanceof RpcError && !peer.signal.aborted && !signal.aborted;
      if (isRefusal) submitDecision(event, thread, "denied");
    },
  );
}

/** Returns the v1 request for an event, spelled as in the era; `undefined` for other events. */
function toApprovalRequest(
  { msg }: Event,
  { id, agent }: Thread,
  era: Era,
): { method: string; params: object; callId: string } | undefined {
  // Clients of v1 know only the conversation that they started.
  const conversationId = agent?.tree.root.threadId ?? id;
  const ofAgent = agent === undefined ? {} : { agentPath: agent.self.path };
  if (msg.type === "exec_approval_request") {
    const { call_id: callId, command, cwd, reason } = msg;
    const params: ExecCommandApprovalParams = {
      conversationId,
      callId,
      command,
      cwd,
      ...(reason == null ? {} : { reason }),
      ...ofAgent,
    };
    return {
      method: "execCommandApproval",
      params: spelled(params, era.rpc.approvalParams),
      callId,
    };
  }
  if (msg.type !== "apply_patch_approval_request") return undefined;
  const { call_id: callId, reason, grant_root: grantRoot } = msg;
  const { changes: fileChanges } = new EraEvents(era).toShape(msg);
  const params: ApplyPatchApprovalParams = {
    conversationId,
    callId,
    fileChanges,
    ...(reason == null ? {} : { reason }),
    ...(grantRoot == null ? {} : { grantRoot }),
    ...ofAgent,
  };
  return { method: "applyPatchApproval", params: spelled(params, era.rpc.approvalParams), callId };
}

function spelled(params: object, spelling: Era["rpc"]["approvalParams"]): object {
  if (spelling === "camelCase") return params;
  const entries = Object.entries(params).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries);
}
