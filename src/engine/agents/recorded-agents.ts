import type { Agent, AgentStatus } from "../../agents/index.js";
import { isAgentPath } from "../../agents/index.js";
import { isRecord } from "../../protocol/read/check.js";
import type { EventMsg } from "../../protocol/types.js";
import { findRollout as findById, readHead } from "../../rollout/index.js";
import type { AgentSession } from "./helper-agents.js";

/** An agent of a recorded conversation. */
export type RecordedAgent = Omit<Agent, "thread" | "parent" | "depth">;

/**
 * Reads the agents of a resumed conversation from its log.
 *
 * One whose end is not recorded was working when the process ended; it counts as interrupted.
 */
export function recordedAgents(replayed: readonly EventMsg[]): RecordedAgent[] {
  const agents = new Map<string, RecordedAgent>();
  for (const msg of replayed) {
    if (msg.type !== "item_completed" || msg.item?.type !== "SubAgentActivity") continue;
    const { kind, agent_path: path, agent_thread_id: threadId } = msg.item;
    if (!isAgentPath(path)) continue;
    const status: AgentStatus = kind === "completed" ? "shutdown" : "interrupted";
    if (kind === "started" || agents.has(path)) {
      agents.set(path, {
        path,
        threadId,
        status,
        nickname: undefined,
        generation: 2,
        role: undefined,
      });
    }
  }
  return [...agents.values()];
}

/** Returns a text for the model about agents whose work was cut off; undefined if there are none. */
export function lostAgentsText(agents: readonly RecordedAgent[]): string | undefined {
  const lost = agents.filter(({ status }) => status === "interrupted").map(({ path }) => path);
  if (lost.length === 0) return undefined;
  return (
    `The process ended while these agents were working, so their last turn is lost: ${lost.join(", ")}. ` +
    "What they changed before may remain. Use followup_task to let one continue."
  );
}

/** Finds the log of an agent. */
export function findRollout(
  { config }: AgentSession,
  threadId: string,
): Promise<string | undefined> {
  return findById(config.home, threadId);
}

/** Reads the role of an agent from its log, so that it never gets more rights than it had. */
export async function recordedRole(path: string): Promise<string | undefined> {
  const source = (await readHead(path)).meta?.source;
  const agent = isRecord(source) ? source.subagent : undefined;
  const spawned = isRecord(agent) ? agent.thread_spawn : undefined;
  const role = isRecord(spawned) ? spawned.agent_role : undefined;
  return typeof role === "string" ? role : undefined;
}
