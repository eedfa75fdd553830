import type { AgentStatus } from "../../agents/index.js";
import type { CollabAgentState, CollabAgentToolCallTurnItem } from "../../protocol/types.js";
import type { ToolContext } from "../tool.js";

/** A call of a tool that uses helper agents, as clients see it. */
export interface CollabCall {
  tool: CollabAgentToolCallTurnItem["tool"];
  /** Thread of the agent that makes the call. */
  sender: string;
  receivers: readonly string[];
  prompt?: string | undefined;
  model?: string | undefined;
  effort?: CollabAgentToolCallTurnItem["reasoning_effort"];
}

/** Emits the item of a call around it. */
export async function emitCollabCall<Result>(
  context: ToolContext,
  call: CollabCall,
  run: () => Promise<Result>,
  endOf: (result: Result) => Partial<CollabCall> & Pick<Ended, "status" | "states"> = () => ({}),
): Promise<Result> {
  const item = toItem(context.callId, call);
  context.emitItem?.("item_started", item);
  const result = await run();
  const { status = "completed", states = {}, ...changed } = endOf(result);
  const ended = toItem(context.callId, { ...call, ...changed });
  context.emitItem?.("item_completed", { ...ended, status, agents_states: states });
  return result;
}

interface Ended {
  status?: CollabAgentToolCallTurnItem["status"];
  states?: Record<string, CollabAgentState>;
}

function toItem(id: string, call: CollabCall): CollabAgentToolCallTurnItem {
  const { tool, sender, receivers, prompt, model, effort } = call;
  return {
    type: "CollabAgentToolCall",
    id,
    tool,
    status: "inProgress",
    sender_thread_id: sender,
    receiver_thread_ids: [...receivers],
    prompt: prompt ?? null,
    model: model ?? null,
    reasoning_effort: effort ?? null,
    agents_states: {},
  };
}

/** Returns the status of an agent as clients see it. */
export function toState(status: AgentStatus): CollabAgentState {
  if (typeof status === "object") {
    return "completed" in status
      ? { status: "completed", message: status.completed }
      : { status: "errored", message: status.errored };
  }
  return { status: plainStates[status], message: null };
}

const plainStates = {
  pending_init: "pendingInit",
  running: "running",
  interrupted: "interrupted",
  shutdown: "shutdown",
  not_found: "notFound",
} as const;
