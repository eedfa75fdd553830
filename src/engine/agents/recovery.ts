import type { AgentStatus } from "../../agents/index.js";
import type { EventMsg } from "../../protocol/types.js";
import { developerMessage } from "../messages.js";
import type { AgentSession } from "./helper-agents.js";
import {
  answersIn,
  findRollout,
  lostAgentsText,
  type RecordedAgent,
  recordedTurns,
} from "./recorded-agents.js";
import { type ActivityKind, activityItem, noticesIn } from "./reports.js";

/**
 * Reports agents that worked when the process ended: the answers that their parent has not read, and those whose
 * turn was cut off.
 *
 * Each is reported once: the log of the parent says so before anything else happens.
 */
export async function recoverAgents(
  session: AgentSession,
  recorded: readonly RecordedAgent[],
  deliver: (agent: RecordedAgent, status: AgentStatus) => void,
): Promise<void> {
  const lost: RecordedAgent[] = [];
  for (const agent of recorded) {
    const end = await (agent.generation === 2 ? endOf : endOfFirst)(session, agent);
    if (end === "lost") lost.push(agent);
    else if (end !== undefined) {
      const { turnId } = end;
      if (turnId !== undefined) record(session, agent, "completed", `subagent-completed-${turnId}`);
      deliver(agent, end.status);
    }
  }
  if (lost.length === 0) return;
  session.record([developerMessage(lostAgentsText(lost))]);
  for (const agent of lost) record(session, agent, "interrupted", `subagent-lost-${agent.turnId}`);
}

/** End of the last turn of an agent that its parent has not read. */
type UnreadEnd = "lost" | { status: AgentStatus; turnId?: string | undefined } | undefined;

async function endOf(session: AgentSession, agent: RecordedAgent): Promise<UnreadEnd> {
  const { isOpen, completed, path } = agent;
  const isRead = isCompacted(session) || answersIn(session.history.items, path) >= completed;
  if (!isOpen && isRead) return undefined;
  const { last, answered, answer } = await turnsOf(session, agent);
  if (isOpen && (last === undefined || last.isOpen)) return "lost";
  const isUnreported = answered > completed;
  if (isUnreported || !isRead) {
    return { status: { completed: answer }, turnId: isUnreported ? last?.id : undefined };
  }
  return isOpen && last?.wasAborted === false && answered === 0 ? "lost" : undefined;
}

/** In the first generation a message is all that reports an end. */
async function endOfFirst(session: AgentSession, agent: RecordedAgent): Promise<UnreadEnd> {
  if (!agent.isOpen) return undefined;
  const { last, ended, answer } = await turnsOf(session, agent);
  if (last === undefined || last.isOpen) return "lost";
  const isRead = isCompacted(session) || noticesIn(session.history.items, agent.threadId) >= ended;
  if (isRead) return undefined;
  return { status: last.wasAborted ? "interrupted" : { completed: answer } };
}

/** A compaction removes answers from the history. */
function isCompacted({ replayed }: AgentSession): boolean {
  return replayed.some(({ type }) => type === "context_compacted");
}

async function turnsOf(session: AgentSession, { threadId }: RecordedAgent) {
  const path = await findRollout(session, threadId);
  const events = path && (await session.parts.readConversation(path)).initialMessages;
  return recordedTurns(events || []);
}

/** Adds what happened to an agent to the turn of its parent that had to do with it. */
function record(
  { id, parts }: AgentSession,
  agent: RecordedAgent,
  kind: ActivityKind,
  itemId: string,
): void {
  const item = activityItem(itemId, kind, agent);
  const msg: EventMsg = { type: "item_completed", thread_id: id, turn_id: agent.turnId, item };
  parts.log.append({ type: "event_msg", payload: msg });
}
