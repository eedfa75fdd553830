import type { Event, ReasoningEffort } from "../protocol/types.js";
import {
  type Agent,
  type AgentMail,
  type AgentStatus,
  type AgentThread,
  isWorking,
  rootPath,
} from "./agent.js";
import { isBelow, problemOfName } from "./names.js";
import { nicknameFor } from "./nickname.js";

/** Bounds of a tree. */
export interface AgentLimits {
  /** Agents below the root that may work at the same time. */
  atOnce: number;
  /** Generations below the root. */
  depth: number;
}

/** A request for a new agent. */
export interface NewAgent {
  parent: Agent;
  /** Last part of its path; by default one that is free. */
  name?: string | undefined;
  threadId: string;
  generation: 1 | 2;
  model?: string | undefined;
  effort?: ReasoningEffort | undefined;
  /** Nicknames to choose from. */
  nicknames?: readonly string[] | undefined;
  role?: string | undefined;
}

/** Text for the model if all slots are taken. */
export const limitReached = "collab spawn failed: agent thread limit reached";

/** Starts or loads the conversation of an agent; every event of it is passed to `onEvent`. */
export type StartAgentThread = (
  agent: Agent,
  onEvent: (event: Event) => void,
) => Promise<AgentThread>;

/** Follows the agents that one agent has started. Its methods must not throw. */
export interface AgentParent {
  /** Takes a message for the agent itself. */
  deliver(mail: AgentMail): void;
  /** A turn of a child has ended. */
  onChildEnd(child: Agent, turnId: string): void;
}

/**
 * The agents of one conversation of the user.
 *
 * Owns who there is, who works, and who gets messages. How a conversation runs is up to its host.
 */
export class AgentTree {
  readonly root: Agent;
  readonly #limits: AgentLimits;
  readonly #agents = new Map<string, Agent>();
  readonly #parents = new Map<Agent, AgentParent>();
  /** Turn ids by agent, and the error that failed the turn. */
  readonly #turns = new Map<Agent, { turnId: string; error?: string }>();

  constructor(rootThreadId: string, limits: AgentLimits) {
    this.#limits = limits;
    this.root = {
      path: rootPath,
      threadId: rootThreadId,
      parent: undefined,
      depth: 0,
      nickname: undefined,
      generation: 2,
      role: undefined,
      status: "running",
      thread: undefined,
    };
    this.#agents.set(rootPath, this.root);
  }

  /** Registers what follows the children of an agent. */
  follow(agent: Agent, parent: AgentParent): void {
    this.#parents.set(agent, parent);
  }

  find(path: string): Agent | undefined {
    return this.#agents.get(path);
  }

  findByThread(threadId: string): Agent | undefined {
    return [...this.#agents.values()].find((agent) => agent.threadId === threadId);
  }

  /** All agents at or below a path, parents first. */
  list(prefix: string = rootPath): Agent[] {
    return [...this.#agents.values()].filter(({ path }) => isBelow(path, prefix));
  }

  /** Number of agents below the root that work. */
  get working(): number {
    return this.list().filter((agent) => agent !== this.root && isWorking(agent)).length;
  }

  get #nicknames(): ReadonlySet<string> {
    return new Set([...this.#agents.values()].flatMap(({ nickname }) => nickname ?? []));
  }

  /** Returns the reason that an agent cannot be started; undefined if it can. */
  problemOf({
    parent,
    name = this.#freeName(parent),
  }: Pick<NewAgent, "parent" | "name">): string | undefined {
    const path = `${parent.path}/${name}`;
    const problem = problemOfName(name);
    if (problem !== undefined) return problem;
    if (this.#agents.has(path)) return `agent path \`${path}\` already exists`;
    if (parent.depth >= this.#limits.depth) return "collab spawn failed: agent depth limit reached";
    return this.hasRoom ? undefined : limitReached;
  }

  /** True if one more agent may work. */
  get hasRoom(): boolean {
    return this.working < this.#limits.atOnce;
  }

  #freeName(parent: Agent): string {
    let number = this.list(parent.path).filter((agent) => agent.parent === parent).length + 1;
    while (this.#agents.has(`${parent.path}/agent_${number}`)) number++;
    return `agent_${number}`;
  }

  /**
   * Adds an agent, which counts as working from now on, and starts its conversation.
   *
   * Returns the reason if it cannot: two calls at the same time may want the last place.
   */
  async start(
    { parent, threadId, generation, role, model, effort, nicknames, ...wanted }: NewAgent,
    startThread: StartAgentThread,
  ): Promise<Agent | string> {
    const { name = this.#freeName(parent) } = wanted;
    const problem = this.problemOf({ parent, name });
    if (problem !== undefined) return problem;
    const agent: Agent = {
      path: `${parent.path}/${name}`,
      threadId,
      parent,
      depth: parent.depth + 1,
      nickname: nicknameFor(this.#nicknames, Math.random, nicknames),
      generation,
      role,
      model,
      effort,
      status: "pending_init",
      thread: undefined,
    };
    this.#agents.set(agent.path, agent);
    try {
      await this.load(agent, startThread);
      return agent;
    } catch (error) {
      this.#agents.delete(agent.path);
      throw error;
    }
  }

  /** Adds an agent of a recorded conversation, which is not loaded. */
  restore(agent: Omit<Agent, "thread" | "parent" | "depth">): void {
    const parent = this.find(agent.path.slice(0, agent.path.lastIndexOf("/"))) ?? this.root;
    this.#agents.set(agent.path, { ...agent, parent, depth: parent.depth + 1, thread: undefined });
  }

  /** Starts the conversation of an agent that is not loaded. */
  async load(agent: Agent, startThread: StartAgentThread): Promise<void> {
    this.#turns.delete(agent); // closed in the middle of a turn, it has no end
    agent.thread = await startThread(agent, (event) => this.#onEvent(agent, event));
  }

  /** Delivers a message to its recipient. */
  send(recipient: Agent, mail: AgentMail): void {
    const own = this.#parents.get(recipient);
    if (recipient.thread === undefined && own !== undefined) own.deliver(mail);
    else {
      if (mail.trigger_turn) recipient.status = "running";
      recipient.thread?.submit(mail);
    }
  }

  /** Interrupts the turn of an agent; returns its status before. */
  interrupt(agent: Agent): AgentStatus {
    const { status } = agent;
    if (isWorking(agent)) agent.thread?.submit({ type: "interrupt" });
    return status;
  }

  /** Interrupts all agents below one. */
  interruptBelow(agent: Agent): void {
    for (const one of this.list(agent.path)) if (one !== agent) this.interrupt(one);
  }

  /** Closes an agent and those below it; they can be loaded again. */
  async close(agent: Agent, options?: { isAsked: boolean }): Promise<AgentStatus> {
    const { status } = agent;
    const closing = this.list(agent.path).filter((one) => one !== this.root);
    await Promise.all(
      closing.map(async (one) => {
        const { thread } = one;
        one.thread = undefined;
        one.status = "shutdown";
        await thread?.close(options);
      }),
    );
    return status;
  }

  #onEvent(agent: Agent, { id, msg, turn_id: turnId = id }: Event): void {
    switch (msg.type) {
      case "task_started":
        agent.status = "running";
        this.#turns.set(agent, { turnId });
        break;
      case "error": {
        const turn = this.#turns.get(agent);
        if (turn !== undefined) turn.error = msg.message;
        // A refused start has no turn.
        else if (isWorking(agent)) this.#end(agent, turnId, { errored: msg.message });
        break;
      }
      case "task_complete": {
        const error = this.#turns.get(agent)?.error;
        const answer = msg.last_agent_message ?? null;
        this.#end(agent, turnId, error === undefined ? { completed: answer } : { errored: error });
        break;
      }
      case "turn_aborted":
        this.#end(agent, turnId, "interrupted");
        break;
      case "shutdown_complete":
        if (isWorking(agent)) this.#end(agent, turnId, "interrupted");
        agent.thread = undefined;
        break;
    }
  }

  #end(agent: Agent, turnId: string, status: AgentStatus): void {
    agent.status = status;
    this.#turns.delete(agent);
    const parent = this.#loadedAbove(agent);
    if (parent !== undefined) this.#parents.get(parent)?.onChildEnd(agent, turnId);
  }

  /** Returns the nearest agent above one that can take its answer: another may have given it the task. */
  #loadedAbove({ parent }: Agent): Agent | undefined {
    if (parent === undefined || parent === this.root) return parent;
    return parent.thread === undefined ? this.#loadedAbove(parent) : parent;
  }
}
