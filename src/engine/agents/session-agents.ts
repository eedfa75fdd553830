import {
  type Agent,
  type AgentControl,
  type AgentMail,
  AgentTree,
  isWorking,
  limitReached,
  toAgentPath,
  type WaitOutcome,
} from "../../agents/index.js";
import { joinSignals } from "../../lib/join-signals.js";
import { requestedEffort } from "../../model/index.js";
import type { ReasoningEffort } from "../../protocol/types.js";
import { workingContext } from "../turn-context.js";
import { AgentThreads } from "./agent-threads.js";
import { AgentWorktrees } from "./agent-worktrees.js";
import { type AnswerOp, ForwardedQuestions } from "./forwarded-questions.js";
import type { AgentSession, AgentTask, HelperAgents } from "./helper-agents.js";
import { limitsOf } from "./new-agent.js";
import { type RecordedAgent, recordedAgents, withPlaces } from "./recorded-agents.js";
import { type ActivityKind, activityItem, answerOf, endNotice } from "./reports.js";
import { TreeRights } from "./rights.js";

/**
 * The helper agents of a session: those that it has started, and its place in the tree.
 *
 * Created when the model first uses an agent, or with a session that is an agent itself.
 */
export class SessionAgents implements HelperAgents {
  readonly #session: AgentSession;
  readonly tree: AgentTree;
  readonly self: Agent;
  /** The turn in which an agent was last given a task; its end is reported there. */
  readonly #turns = new Map<Agent, { id: string; turnId: string }>();
  readonly #endWaiters = new Set<() => void>();
  readonly #questions: ForwardedQuestions;
  readonly #worktrees: AgentWorktrees;
  readonly #threads: AgentThreads;
  #recorded: readonly RecordedAgent[] = [];

  private constructor(session: AgentSession, tree: AgentTree, self: Agent) {
    this.#session = session;
    this.tree = tree;
    this.self = self;
    this.#questions =
      session.parts.agent?.questions ??
      new ForwardedQuestions((event) => session.parts.queues.publish(event));
    const rights =
      session.parts.agent?.rights ??
      new TreeRights(() => workingContext(session.context, session.parts.era));
    this.#worktrees = new AgentWorktrees(session, rights);
    this.#threads = new AgentThreads(session, {
      tree,
      rights,
      questions: this.#questions,
      worktrees: this.#worktrees,
    });
    tree.follow(self, {
      deliver: (mail) => session.deliver(mail),
      onChildEnd: (child, turnId) => this.#onChildEnd(child, turnId),
    });
  }

  /** Creates the agents of a session; those of a recorded conversation are found again. */
  static async of(session: AgentSession): Promise<SessionAgents> {
    const { agent } = session.parts;
    const tree = agent?.tree ?? new AgentTree(session.id, limitsOf(session.config));
    const agents = new SessionAgents(session, tree, agent?.self ?? tree.root);
    // Those of an agent that is loaded again may have worked for others meanwhile.
    const all = await withPlaces(session, recordedAgents(session.replayed));
    const recorded = all.filter(({ path }) => !tree.find(path));
    for (const one of recorded) tree.restore(one);
    agents.#recorded = recorded;
    return agents;
  }

  /** Returns the operations for one tool call of a task. */
  control(task: AgentTask, callId: string): AgentControl {
    const { self, tree } = this;
    const activity = (
      kind: ActivityKind,
      agent: Agent,
      fields: Pick<Agent, "model" | "effort"> = {},
    ) => {
      const item = activityItem(callId, kind, agent, fields);
      // The first generation reports calls of tools instead.
      if (agent.generation === 1) return;
      task.emitItem("item_started", item);
      task.emitItem("item_completed", item);
    };
    return {
      self,
      spawn: async (request) => {
        const agent = await this.#threads.spawn(request, self);
        if (typeof agent === "string") return agent;
        activity("started", agent, { model: agent.model, effort: this.#requestedEffort(agent) });
        this.#give(task, agent, request.message);
        return agent;
      },
      find: (target) => this.#find(target),
      send: async (recipient, text, wakes) => {
        if (text.trim() === "") return "Empty message can't be sent to an agent";
        if (wakes && recipient === tree.root) return "Follow-up tasks can't target the root agent";
        const problem = await this.#send(task, recipient, text, wakes);
        if (problem === undefined) activity("interacted", recipient);
        return problem;
      },
      interrupt: (agent) => {
        activity("interrupted", agent);
        return tree.interrupt(agent);
      },
      close: async (agent) => {
        const status = await tree.close(agent, { isAsked: true });
        await this.#worktrees.remove(agent);
        return status;
      },
      resume: (agent) => (agent.thread === undefined ? this.#threads.load(agent) : noProblem),
      list: (prefix) =>
        tree
          .list(prefix === undefined ? undefined : toAgentPath(prefix, self.path))
          .filter((agent) => agent === tree.root || agent.thread !== undefined || isWorking(agent)),
      wait: (timeoutMs) => this.#wait(timeoutMs, task.signal),
      waitFor: (agents, timeoutMs) => this.#waitFor(agents, timeoutMs, task.signal),
    };
  }

  /** Clients see the effort that the model works with. */
  #requestedEffort({ model = "", effort }: Agent): ReasoningEffort | undefined {
    const { family } = this.#session.context;
    return requestedEffort(effort, { model, family }, this.#session.parts.era.model.catalogue);
  }

  answer(op: AnswerOp): boolean {
    return this.#questions.answer(op);
  }

  async recover(): Promise<void> {
    if (this.#recorded.length === 0) return;
    const { recoverAgents } = await import("./recovery.js");
    await recoverAgents(this.#session, this.#recorded, (agent, status) => {
      if (agent.generation === 2) this.#answer(agent.path, answerOf(status) ?? "");
      else this.#session.pending.addMail(endNotice({ ...agent, status }));
    });
  }

  /** Interrupts all agents below this one, because the user interrupted it. */
  interruptAll(): void {
    this.tree.interruptBelow(this.self);
  }

  /** Closes the agents that this one has started. */
  async close(): Promise<void> {
    const children = this.tree.list(this.self.path).filter(({ parent }) => parent === this.self);
    await Promise.all(children.map((child) => this.tree.close(child)));
    for (const child of children) await this.#worktrees.remove(child);
  }

  async #send(
    task: AgentTask,
    recipient: Agent,
    text: string,
    wakes: boolean,
  ): Promise<string | undefined> {
    const isFull = () => wakes && !isWorking(recipient) && !this.tree.hasRoom;
    if (isFull()) return limitReached;
    if (recipient.thread === undefined && recipient !== this.tree.root) {
      const problem = await this.#threads.load(recipient);
      if (problem !== undefined) return problem;
      if (isFull()) return limitReached;
    }
    if (wakes) this.#give(task, recipient, text);
    else this.tree.send(recipient, this.#mail(recipient, { kind: "MESSAGE", text }));
    return undefined;
  }

  /** Gives an agent a task; its end is reported in the turn that gave it. */
  #give(task: AgentTask, agent: Agent, text: string): void {
    this.#turns.set(agent, task);
    const { rootTurnId = task.turnId } = task;
    agent.givenIn = { rootTurnId, parentTurnId: task.turnId };
    const place = { root_turn_id: rootTurnId, parent_turn_id: task.turnId };
    if (agent.generation === 1) {
      agent.status = "running";
      agent.thread?.submit({ type: "user_input", items: [{ type: "text", text }] });
    } else {
      this.tree.send(agent, { ...this.#mail(agent, { kind: "NEW_TASK", text }), ...place });
    }
  }

  #mail(recipient: Agent, { kind, text }: Pick<AgentMail, "kind" | "text">): AgentMail {
    return {
      type: "inter_agent_communication",
      author: this.self.path,
      recipient: recipient.path,
      kind,
      text,
      trigger_turn: kind === "NEW_TASK",
    };
  }

  async #find(target: string): Promise<Agent | undefined> {
    return this.tree.find(toAgentPath(target, this.self.path)) ?? this.tree.findByThread(target);
  }

  async #wait(timeoutMs: number, signal: AbortSignal): Promise<WaitOutcome> {
    const { pending } = this.#session;
    const arrived = await pending.arrival(this.#session.parts.clock, timeoutMs, signal);
    if (!arrived) return "timeout";
    return pending.hasMail ? "message" : "input";
  }

  async #waitFor(
    agents: readonly Agent[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const isDone = () => agents.some((agent) => !isWorking(agent));
    if (isDone()) return true;
    const { clock } = this.#session.parts;
    const over = joinSignals(signal);
    const timer = clock.sleep(timeoutMs, over.signal).catch(() => {});
    let isOver = false;
    void timer.then(() => {
      isOver = true;
    });
    while (!isDone() && !isOver) {
      signal.throwIfAborted();
      let notify = () => {};
      const ended = new Promise<void>((resolve) => {
        notify = resolve;
        this.#endWaiters.add(notify);
      });
      await Promise.race([ended, timer]);
      this.#endWaiters.delete(notify);
    }
    over.end(new Error("over"));
    signal.throwIfAborted();
    return isDone();
  }

  #onChildEnd(child: Agent, turnId: string): void {
    for (const notify of [...this.#endWaiters]) notify();
    if (child.generation === 1) {
      this.#session.pending.addMail(endNotice(child));
      return;
    }
    if (child.status === "interrupted") return;
    const answer = answerOf(child.status);
    if (answer === undefined) return;
    if (typeof child.status === "object" && "completed" in child.status) {
      this.#reportEnd(child, turnId);
    }
    const described = this.#worktrees.describe(child, answer);
    if (described === undefined) this.#answer(child.path, answer);
    else void described.then((text) => this.#answer(child.path, text));
  }

  /** Takes the answer of an agent to this one. */
  #answer(author: string, text: string): void {
    this.#session.deliver({
      type: "inter_agent_communication",
      author,
      recipient: this.self.path,
      kind: "FINAL_ANSWER",
      text,
      trigger_turn: false,
    });
  }

  /** The turn that gave the task may be over. */
  #reportEnd(child: Agent, turnId: string): void {
    const turn = this.#turns.get(child);
    if (turn === undefined) return;
    const item = activityItem(`subagent-completed-${turnId}`, "completed", child);
    const place = { thread_id: this.#session.id, turn_id: turn.turnId };
    for (const type of ["item_started", "item_completed"] as const) {
      const at = { id: turn.id, turn_id: turn.turnId, item_id: item.id };
      this.#session.events.emitIn(at, { type, ...place, item });
    }
  }
}

const noProblem = Promise.resolve(undefined);
