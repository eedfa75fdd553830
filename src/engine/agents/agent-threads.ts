import type { Agent, AgentTree, SpawnRequest } from "../../agents/index.js";
import { errorText } from "../../lib/errors.js";
import type { ResponseItem } from "../../protocol/types.js";
import type { AgentContext } from "../parts.js";
import type { AgentWorktrees } from "./agent-worktrees.js";
import { forkedHistory } from "./forked-history.js";
import type { ForwardedQuestions } from "./forwarded-questions.js";
import type { AgentSession } from "./helper-agents.js";
import { type AgentSettings, childOp, chooseModel, findRole } from "./new-agent.js";
import { findRollout, recordedFolder, recordedRole } from "./recorded-agents.js";
import type { TreeRights } from "./rights.js";

/** What the threads of a tree of agents share. */
interface SharedParts {
  tree: AgentTree;
  rights: TreeRights;
  questions: ForwardedQuestions;
  worktrees: AgentWorktrees;
}

/** Settings, and the conversation that an agent starts with or continues. */
interface ThreadStart {
  settings: AgentSettings;
  history?: readonly ResponseItem[] | undefined;
  path?: string;
}

/** Starts the threads of the agents of a session, and loads those that were recorded. */
export class AgentThreads {
  readonly #session: AgentSession;
  readonly #shared: SharedParts;

  constructor(session: AgentSession, shared: SharedParts) {
    this.#session = session;
    this.#shared = shared;
  }

  /** Starts an agent; a text says why it cannot be started. */
  async spawn(request: SpawnRequest, parent: Agent): Promise<Agent | string> {
    const { name, asUserInput, role } = request;
    const { tree, worktrees } = this.#shared;
    if (request.message.trim() === "") return "Empty message can't be sent to an agent";
    const problem = tree.problemOf({ parent, name });
    if (problem !== undefined) return problem;
    const settings = await chooseModel(this.#session, request);
    if (typeof settings === "string") return settings;
    const { newId, era } = this.#session.parts;
    // 0.166 copies everything for any number of turns.
    const copiesAll = typeof request.history === "number" && !era.since.current;
    const turns = copiesAll ? "all" : request.history;
    const history = forkedHistory(this.#session.history.items, turns);
    const generation = asUserInput === true ? 1 : 2;
    let started: Agent | undefined;
    try {
      return await tree.start(
        {
          parent,
          name,
          threadId: newId(),
          generation,
          role,
          model: settings.model,
          effort: settings.effort,
          nicknames: settings.role?.nicknames,
        },
        async (one, onEvent) => {
          started = one;
          if (settings.role?.worktree === true) await worktrees.give(one);
          return this.#startThread(one, onEvent, { settings, history });
        },
      );
    } catch (error) {
      if (started !== undefined) await worktrees.remove(started);
      return `collab spawn failed: ${errorText(error)}`;
    }
  }

  /** Loads an agent that was recorded; a text says why it cannot be loaded. */
  async load(agent: Agent): Promise<string | undefined> {
    const { tree, rights, worktrees } = this.#shared;
    const path = await findRollout(this.#session, agent.threadId);
    if (path === undefined) return `live agent path \`${agent.path}\` not found`;
    const role = agent.role ?? (await recordedRole(path));
    const settings = await chooseModel(this.#session, { ...agent, role });
    if (typeof settings === "string") return settings;
    try {
      for (const one of rights.unknownFrom(agent)) await this.#readRole(one);
      if (settings.role?.worktree === true) {
        await worktrees.giveAgain(agent, await recordedFolder(path));
      }
      await tree.load(agent, (one, onEvent) => this.#startThread(one, onEvent, { settings, path }));
      return undefined;
    } catch (error) {
      return `agent ${agent.path} could not be resumed: ${errorText(error)}`;
    }
  }

  #startThread(
    self: Agent,
    onEvent: Parameters<Parameters<AgentTree["load"]>[1]>[1],
    { settings, history, path }: ThreadStart,
  ) {
    const { tree, rights, questions } = this.#shared;
    const { startAgent, agent, log } = this.#session.parts;
    const transcript = agent?.transcript ?? log.path;
    const op = childOp(this.#session, settings);
    rights.setRole(self, settings.role);
    const context: AgentContext = {
      rights,
      tree,
      self,
      transcript,
      questions,
      ...(history && { history }),
    };
    return startAgent(path === undefined ? op : { ...op, resume_path: path }, context, onEvent);
  }

  /** Reads the role of a recorded agent; throws if it cannot be known. */
  async #readRole(agent: Agent): Promise<void> {
    const { rights } = this.#shared;
    const path = await findRollout(this.#session, agent.threadId);
    if (path === undefined) throw new Error(`the log of ${agent.path} is missing`);
    const name = await recordedRole(path);
    const role = name === undefined ? undefined : await findRole(this.#session.config, name);
    if (name !== undefined && role === undefined) throw new Error(`unknown agent_type '${name}'`);
    rights.setRole(agent, role);
    const folder = role?.worktree === true ? await recordedFolder(path) : undefined;
    if (folder !== undefined) rights.setFolder(agent, folder);
  }
}
