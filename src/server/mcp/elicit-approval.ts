import type { Era } from "../../compat/index.js";
import { type RequestId, RpcError } from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/record.js";
import type { Event, ReviewDecision } from "../../protocol/types.js";
import { joinWords } from "../../shell/index.js";
import { toEraShape } from "../era-shape.js";
import type { Thread } from "../threads/index.js";
import { decide, declinePermissions, readDecision } from "../v1/approvals.js";
import type { V1Connection } from "../v1/connection.js";

/** Something that happened in a session while a tool call waits for it. */
export interface ToolEvent {
  event: Event;
  thread: Thread;
  requestId: RequestId;
}

/** Asks the user through the client's elicitation whether something may be done. */
export function elicitApproval(
  { event, thread, requestId }: ToolEvent,
  { peer, server }: V1Connection,
): void {
  const params = toElicitation(event, String(requestId), server.parts.era);
  if (params === undefined) {
    declinePermissions(event, thread);
    return;
  }
  const signal = thread.approvals.signalOf(params.codex_call_id);
  if (signal === undefined) return;
  void peer.request("elicitation/create", params, signal).then(
    (answer) => decide(event, thread, toDecision(answer)),
    (error: unknown) => {
      // A client that cannot ask its user has not said yes.
      const isRefusal = error instanceof RpcError && !peer.signal.aborted && !signal.aborted;
      if (isRefusal) decide(event, thread, "denied");
    },
  );
}

/** `decision` is the word of the reference, `action` that of MCP. */
function toDecision(answer: unknown): ReviewDecision {
  if (!isRecord(answer)) return "denied";
  return readDecision({ decision: answer.decision ?? answer.action });
}

function toElicitation({ id, msg }: Event, toolCallId: string, { events }: Era) {
  const common = {
    requestedSchema: { type: "object", properties: {} },
    codex_mcp_tool_call_id: toolCallId,
    codex_event_id: id,
  };
  if (msg.type === "exec_approval_request") {
    return {
      message: `Allow Codex to run \`${joinWords(msg.command)}\` in \`${msg.cwd}\`?`,
      ...common,
      codex_elicitation: "exec-approval",
      codex_command: msg.command,
      codex_cwd: msg.cwd,
      codex_call_id: msg.call_id,
    };
  }
  if (msg.type !== "apply_patch_approval_request") return undefined;
  const question = "Allow Codex to apply proposed code changes?";
  return {
    message: msg.reason == null ? question : `${msg.reason}\n${question}`,
    ...common,
    codex_elicitation: "patch-approval",
    ...(msg.reason == null ? {} : { codex_reason: msg.reason }),
    ...(msg.grant_root == null ? {} : { codex_grant_root: msg.grant_root }),
    codex_changes: (toEraShape(msg, events) as typeof msg).changes,
    codex_call_id: msg.call_id,
  };
}
