import { type Agent, isAgentPath } from "../../agents/index.js";
import { isRecord } from "../../protocol/read/check.js";
import type { EventMsg, ResponseItem } from "../../protocol/types.js";
import { findRollout as findById, readHead } from "../../rollout/index.js";
import type { AgentSession } from "./helper-agents.js";

/** An agent of a recorded conversation, as the log of its parent has it. */
export interface RecordedAgent extends Omit<Agent, "thread" | "parent" | "depth"> {
  /** Turn of the parent in which it was last mentioned. */
  turnId: string;
  /** Number of its turns that were reported as completed. */
  completed: number;
  /** True if its last turn, as far as it is recorded, has not ended. */
  isOpen: boolean;
}

/** Reads the agents of a resumed conversation from its log. */
export function recordedAgents(replayed: readonly EventMsg[]): RecordedAgent[] {
  const agents = new Map<string, RecordedAgent>();
  for (const msg of replayed) {
    if (msg.type !== "item_completed" || msg.item?.type !== "SubAgentActivity") continue;
    const { kind, agent_path: path, agent_thread_id: threadId } = msg.item;
    if (!isAgentPath(path)) continue;
    const { completed = 0 } = agents.get(path) ?? {};
    if (kind !== "started" && !agents.has(path)) continue;
    const isOpen = kind === "started" || kind === "interacted";
    agents.set(path, {
      path,
      threadId,
      status: isOpen ? "interrupted" : "shutdown",
      nickname: undefined,
      generation: 2,
      role: undefined,
      turnId: msg.turn_id,
      completed: completed + (kind === "completed" ? 1 : 0),
      isOpen,
    });
  }
  return [...agents.values()];
}

/** Turns of an agent as its own log has them. */
export interface RecordedTurns {
  /** The last one; `isOpen` if the process ended before it did. */
  last: { id: string; isOpen: boolean; wasAborted: boolean } | undefined;
  /** Number of turns with an answer, and the last answer. */
  answered: number;
  answer: string;
}

/** Reads the turns of an agent from the events of its log. */
export function recordedTurns(events: readonly EventMsg[]): RecordedTurns {
  const turns: RecordedTurns = { last: undefined, answered: 0, answer: "" };
  for (const msg of events) {
    if (msg.type === "task_started") {
      turns.last = { id: msg.turn_id ?? "", isOpen: true, wasAborted: false };
    } else if (msg.type === "task_complete" && turns.last !== undefined) {
      turns.last.isOpen = false;
      if (msg.last_agent_message == null) continue;
      turns.answered++;
      turns.answer = msg.last_agent_message;
    } else if (msg.type === "turn_aborted" && turns.last !== undefined) {
      turns.last = { ...turns.last, isOpen: false, wasAborted: true };
    }
  }
  return turns;
}

/** Counts the answers of an agent that a conversation contains. */
export function answersIn(items: readonly ResponseItem[], path: string): number {
  return items.filter(
    (item) =>
      item.type === "agent_message" &&
      item.author === path &&
      JSON.stringify(item.content).includes("Message Type: FINAL_ANSWER"),
  ).length;
}

/** Returns a text for the model about agents whose work was cut off. */
export function lostAgentsText(paths: readonly string[]): string {
  return (
    `The process ended while these agents were working, so their last turn is lost: ${paths.join(", ")}. ` +
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

/** Reads the folder in which an agent started from its log. */
export async function recordedFolder(path: string): Promise<string | undefined> {
  return (await readHead(path)).meta?.cwd;
}

/** Reads the role of an agent from its log, so that it never gets more rights than it had. */
export async function recordedRole(path: string): Promise<string | undefined> {
  const source = (await readHead(path)).meta?.source;
  const agent = isRecord(source) ? source.subagent : undefined;
  const spawned = isRecord(agent) ? agent.thread_spawn : undefined;
  const role = isRecord(spawned) ? spawned.agent_role : undefined;
  return typeof role === "string" ? role : undefined;
}
