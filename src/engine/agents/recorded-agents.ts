import { type Agent, isAgentPath } from "../../agents/index.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  CollabAgentToolCallTurnItem,
  EventMsg,
  ResponseItem,
  TurnItem,
} from "../../protocol/types.js";
import { findRollout as findById, readHead } from "../../rollout/index.js";
import type { AgentSession } from "./helper-agents.js";
import type { ActivityKind } from "./reports.js";

/** An agent of a recorded conversation, as the log of its parent has it. */
export interface RecordedAgent extends Omit<Agent, "thread" | "parent" | "depth"> {
  /** Turn of the parent in which it was last mentioned. */
  turnId: string;
  /** Number of its turns that were reported as completed. */
  completed: number;
  /** True if its last turn, as far as it is recorded, has not ended. */
  isOpen: boolean;
}

/**
 * Reads the agents of a resumed conversation from its log.
 *
 * Those of the first generation have no path there: `withPlaces` finds it.
 */
export function recordedAgents(replayed: readonly EventMsg[]): RecordedAgent[] {
  const agents = new Map<string, RecordedAgent>();
  for (const msg of replayed) {
    if (msg.type !== "item_completed") continue;
    for (const { threadId, path, generation, kind } of mentionsIn(msg.item)) {
      const before = agents.get(threadId);
      if (kind !== "started" && before === undefined) continue;
      const isOpen = kind === "started" || kind === "interacted";
      agents.set(threadId, {
        path,
        threadId,
        status: isOpen ? "interrupted" : "shutdown",
        nickname: undefined,
        generation: before?.generation ?? generation,
        role: undefined,
        turnId: msg.turn_id,
        completed: (before?.completed ?? 0) + (kind === "completed" ? 1 : 0),
        isOpen,
      });
    }
  }
  return [...agents.values()];
}

interface Mention extends Pick<Agent, "threadId" | "path" | "generation"> {
  kind: ActivityKind | "closed";
}

function mentionsIn(item: TurnItem | null | undefined): Mention[] {
  if (item?.type === "SubAgentActivity") {
    const { kind, agent_path: path, agent_thread_id: threadId } = item;
    return isAgentPath(path) ? [{ kind, path, threadId, generation: 2 }] : [];
  }
  if (item?.type !== "CollabAgentToolCall" || item.status !== "completed") return [];
  const kind = kindsOfCalls[item.tool];
  if (kind === undefined) return [];
  return item.receiver_thread_ids.map((threadId) => ({ kind, threadId, path: "", generation: 1 }));
}

const kindsOfCalls: { [tool in CollabAgentToolCallTurnItem["tool"]]?: Mention["kind"] } = {
  spawnAgent: "started",
  sendInput: "interacted",
  closeAgent: "closed",
};

/** Adds the paths of agents of the first generation from their logs; leaves out those without a log. */
export async function withPlaces(
  session: AgentSession,
  recorded: readonly RecordedAgent[],
): Promise<RecordedAgent[]> {
  const placed = recorded.map(async (agent) => {
    if (agent.generation === 2) return agent;
    const rollout = await findRollout(session, agent.threadId);
    const { agent_path: path, agent_nickname: nickname } =
      rollout === undefined ? {} : await spawnedAs(rollout);
    if (typeof path !== "string" || !isAgentPath(path)) return undefined;
    return { ...agent, path, nickname: typeof nickname === "string" ? nickname : undefined };
  });
  return (await Promise.all(placed)).filter((agent) => agent !== undefined);
}

/** Turns of an agent as its own log has them. */
export interface RecordedTurns {
  /** The last one; `isOpen` if the process ended before it did. */
  last: { id: string; isOpen: boolean; wasAborted: boolean } | undefined;
  /** Number of turns that ended in any way. */
  ended: number;
  /** Number of turns with an answer, and the last answer. */
  answered: number;
  answer: string;
}

/** Reads the turns of an agent from the events of its log. */
export function recordedTurns(events: readonly EventMsg[]): RecordedTurns {
  const turns: RecordedTurns = { last: undefined, ended: 0, answered: 0, answer: "" };
  for (const msg of events) {
    if (msg.type === "task_started") {
      turns.last = { id: msg.turn_id ?? "", isOpen: true, wasAborted: false };
    } else if (msg.type === "task_complete" && turns.last !== undefined) {
      turns.last.isOpen = false;
      turns.ended++;
      if (msg.last_agent_message == null) continue;
      turns.answered++;
      turns.answer = msg.last_agent_message;
    } else if (msg.type === "turn_aborted" && turns.last !== undefined) {
      turns.last = { ...turns.last, isOpen: false, wasAborted: true };
      turns.ended++;
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
export function lostAgentsText(agents: readonly RecordedAgent[]): string {
  const names = agents.map(({ generation, path, threadId }) =>
    generation === 2 ? path : threadId,
  );
  const tool = agents.some(({ generation }) => generation === 1) ? "send_input" : "followup_task";
  return (
    `The process ended while these agents were working, so their last turn is lost: ${names.join(", ")}. ` +
    `What they changed before may remain. Use ${tool} to let one continue.`
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
  const { agent_role: role } = await spawnedAs(path);
  return typeof role === "string" ? role : undefined;
}

/** Reads how an agent was started from its log. */
async function spawnedAs(path: string): Promise<Record<string, unknown>> {
  const source = (await readHead(path)).meta?.source;
  const agent = isRecord(source) ? source.subagent : undefined;
  const spawned = isRecord(agent) ? agent.thread_spawn : undefined;
  return isRecord(spawned) ? spawned : {};
}
