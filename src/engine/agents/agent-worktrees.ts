import { existsSync } from "node:fs";
import type { Agent } from "../../agents/index.js";
import type { AgentWorktree } from "../parts.js";
import type { AgentSession } from "./helper-agents.js";
import type { TreeRights } from "./rights.js";

/** The worktrees of the agents that a session has started. */
export class AgentWorktrees {
  readonly #session: AgentSession;
  readonly #rights: TreeRights;
  readonly #worktrees = new Map<string, AgentWorktree>();

  constructor(session: AgentSession, rights: TreeRights) {
    this.#session = session;
    this.#rights = rights;
  }

  /** Creates a worktree in which an agent works from now on; throws with the reason if it cannot. */
  async give(agent: Pick<Agent, "path">): Promise<void> {
    const { config, context, parts } = this.#session;
    if (parts.worktrees === undefined) throw new Error("worktrees are not available here");
    const { cwd, sandbox_policy } = context;
    const name = agent.path.slice("/root/".length).replaceAll("/", "-");
    const worktree = await parts.worktrees.create({ ...config, cwd, sandbox_policy }, name);
    this.#worktrees.set(agent.path, worktree);
    this.#rights.setFolder(agent, worktree.cwd);
  }

  /** Lets an agent of a recorded conversation work where it did, or in a new worktree. */
  async giveAgain(agent: Pick<Agent, "path">, folder: string | undefined): Promise<void> {
    if (folder !== undefined && existsSync(folder)) this.#rights.setFolder(agent, folder);
    else await this.give(agent);
  }

  /** Returns the answer of an agent with the place of its work; undefined if it has no worktree. */
  describe({ path }: Agent, answer: string): Promise<string> | undefined {
    const worktree = this.#worktrees.get(path);
    if (worktree === undefined) return undefined;
    return worktree.hasWork().then(
      (hasWork) =>
        hasWork
          ? `${answer}\n\nIts work is in the git worktree ${worktree.path} on the branch ${worktree.branch}.`
          : `${answer}\n\nIt left no changes in its git worktree.`,
      () => answer,
    );
  }

  /** Removes the worktrees of an agent and those below it, except with uncommitted changes. */
  async remove({ path }: Pick<Agent, "path">): Promise<void> {
    const own = [...this.#worktrees].filter(([one]) => one === path || one.startsWith(`${path}/`));
    for (const [one, worktree] of own) {
      await worktree.removeIfClean().catch(() => undefined);
      this.#worktrees.delete(one);
    }
  }
}
