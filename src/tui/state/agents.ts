import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";

/** State of a helper agent: at work, waiting for the user, or how its last turn ended. */
export type AgentState = "working" | "waiting" | "completed" | "interrupted" | "failed";

/** A helper agent of the thread. */
export interface HelperAgent {
  readonly threadId: string;
  readonly path: string;
  state: AgentState;
  /** Time of the start of its last turn, in milliseconds. */
  startedAt: number;
}

/** Activity of an agent, as its parent reports it. */
export interface AgentActivity {
  agentThreadId?: string | null | undefined;
  agentPath?: string | null | undefined;
  kind?: string | null | undefined;
}

/** The helper agents of a thread, those of agents included. */
export class HelperAgents {
  readonly #agents = new Map<string, HelperAgent>();

  /** All agents in the order of their start. */
  get all(): HelperAgent[] {
    return [...this.#agents.values()];
  }

  /** Agents that work or wait for the user. */
  get active(): HelperAgent[] {
    return this.all.filter(({ state }) => state === "working" || state === "waiting");
  }

  pathOf(threadId: string): string | undefined {
    return this.#agents.get(threadId)?.path;
  }

  /** Takes over what an agent did, from an item of its parent. */
  noted(item: AgentActivity, now: number): void {
    const { agentThreadId: threadId, agentPath: path, kind } = item;
    if (threadId == null || path == null) return;
    const known = this.#agents.get(threadId);
    if (known === undefined) {
      const state = kind === "started" ? "working" : "completed";
      this.#agents.set(threadId, { threadId, path, state, startedAt: now });
    } else if (kind === "completed" || kind === "interrupted") known.state = kind;
  }

  /** Takes over a stored item: agents that still work are reported by the server afterwards. */
  stored(item: AgentActivity): void {
    this.noted(item, 0);
    const agent = this.#agents.get(item.agentThreadId ?? "");
    if (agent?.state === "working") agent.state = "interrupted";
  }

  turnStarted(threadId: string, now: number): void {
    const agent = this.#agents.get(threadId);
    if (agent !== undefined) Object.assign(agent, { state: "working", startedAt: now });
  }

  turnEnded(threadId: string, status: string): void {
    const agent = this.#agents.get(threadId);
    if (agent === undefined) return;
    agent.state = status === "completed" || status === "interrupted" ? status : "failed";
  }

  /** Takes over the status of a thread: an agent may have started before this client came. */
  statusChanged(threadId: string, status: ThreadStatus, now: number): void {
    const agent = this.#agents.get(threadId);
    if (agent === undefined || status.type !== "active") return;
    if (agent.state !== "working" && agent.state !== "waiting") agent.startedAt = now;
    agent.state = status.activeFlags.length > 0 ? "waiting" : "working";
  }

  clear(): void {
    this.#agents.clear();
  }
}
