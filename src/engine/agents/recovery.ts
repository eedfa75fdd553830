import type { EventMsg, TurnItem } from "../../protocol/types.js";
import { developerMessage } from "../messages.js";
import type { AgentSession } from "./helper-agents.js";
import {
  answersIn,
  findRollout,
  lostAgentsText,
  type RecordedAgent,
  recordedTurns,
} from "./recorded-agents.js";

/**
 * Reports agents that worked when the process ended: the answers that their parent has not read, and those whose
 * turn was cut off.
 *
 * Each is reported once: the log of the parent says so before anything else happens.
 */
export async function recoverAgents(
  session: AgentSession,
  recorded: readonly RecordedAgent[],
  deliver: (path: string, answer: string) => void,
): Promise<void> {
  const isCompacted = session.replayed.some(({ type }) => type === "context_compacted");
  const lost: RecordedAgent[] = [];
  for (const agent of recorded) {
    const isRead = isCompacted || answersIn(session.history.items, agent.path) >= agent.completed;
    if (!agent.isOpen && isRead) continue;
    const { last, answered, answer } = await turnsOf(session, agent);
    const isUnreported = answered > agent.completed;
    if (agent.isOpen && (last === undefined || last.isOpen)) lost.push(agent);
    else if (isUnreported || !isRead) {
      if (isUnreported) record(session, agent, "completed", `subagent-completed-${last?.id}`);
      deliver(agent.path, answer);
    } else if (agent.isOpen && last?.wasAborted === false && answered === 0) lost.push(agent);
  }
  if (lost.length === 0) return;
  session.record([developerMessage(lostAgentsText(lost.map(({ path }) => path)))]);
  for (const agent of lost) record(session, agent, "interrupted", `subagent-lost-${agent.turnId}`);
}

async function turnsOf(session: AgentSession, { threadId }: RecordedAgent) {
  const path = await findRollout(session, threadId);
  const events = path && (await session.parts.readConversation(path)).initialMessages;
  return recordedTurns(events || []);
}

type ActivityKind = Extract<TurnItem, { type: "SubAgentActivity" }>["kind"];

/** Adds what happened to an agent to the turn of its parent that had to do with it. */
function record(
  { id, parts }: AgentSession,
  { path, threadId, turnId }: RecordedAgent,
  kind: ActivityKind,
  itemId: string,
): void {
  const item: TurnItem = {
    type: "SubAgentActivity",
    id: itemId,
    kind,
    agent_thread_id: threadId,
    agent_path: path,
  };
  const msg: EventMsg = { type: "item_completed", thread_id: id, turn_id: turnId, item };
  parts.log.append({ type: "event_msg", payload: msg });
}
