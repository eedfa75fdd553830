import { signal } from "@preact/signals";
import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";
import type { ThreadView } from "./thread-view.js";

/** A helper agent of a thread. */
export interface HelperAgent {
  threadId: string;
  /** Such as `/root/tests`. */
  path: string;
  model: string | null;
  state: "running" | "waiting" | "completed" | "interrupted";
}

/** Last reported state of each thread. */
export const threadStatuses = signal<ReadonlyMap<string, ThreadStatus>>(new Map());

/** Returns the helper agents of a thread in the order of their start. */
export function agentsOf(view: ThreadView): HelperAgent[] {
  const agents = new Map<string, HelperAgent>();
  for (const { item } of view.entries.value) {
    const value = item.peek();
    if (value.type !== "subAgentActivity") continue;
    const { agentThreadId: threadId, agentPath: path, kind } = value;
    const model = value.model ?? agents.get(threadId)?.model ?? null;
    const state = kind === "interrupted" ? "interrupted" : "completed";
    agents.set(threadId, { threadId, path, model, state: stateOf(threadId) ?? state });
  }
  return [...agents.values()];
}

function stateOf(threadId: string): "running" | "waiting" | undefined {
  const status = threadStatuses.value.get(threadId);
  if (status?.type !== "active") return undefined;
  return status.activeFlags.length > 0 ? "waiting" : "running";
}
