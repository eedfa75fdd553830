import type { Config } from "../../config/index.js";
import { findRollout } from "../../rollout/index.js";
import type { Session } from "../session.js";
import { type Amounts, addAmounts, noAmounts, type TreeUse } from "./amounts.js";
import { LiveUse } from "./live-use.js";
import { readAgents, readDay, readThread } from "./recorded.js";

/** Limits of the config by scope. */
export type Limits = NonNullable<Config["settings"]["budget"]>;

export type Scope = keyof Limits;

const trees = new WeakMap<object, TreeUse>();

/**
 * Amounts that a session has used, by scope.
 *
 * Those of earlier sessions, and of other processes, are read from rollouts when they are first needed in a turn.
 */
export class SessionUse {
  readonly #session: Session;
  readonly #limits: Limits;
  readonly #live: LiveUse;
  /** Used in this session, without the running turn. */
  #earlier = noAmounts();
  #turn = noAmounts();
  #requests = { session: 0, turn: 0 };
  /** Start of the running turn. */
  #startedAt: number | undefined;
  /** Used before the running turn, by this thread and by all threads today. */
  #recorded: { thread?: Amounts; day?: Amounts } = {};
  #reading: Promise<void> | undefined;
  /** Used beside the turns since the reading. */
  #beside = noAmounts();

  constructor(session: Session, limits: Limits) {
    this.#session = session;
    this.#limits = limits;
    this.#live = new LiveUse(session.config.home);
  }

  get isInTurn(): boolean {
    return this.#startedAt !== undefined;
  }

  beginTurn(): void {
    this.#turn = { ...noAmounts(), turns: 1 };
    this.#startedAt = this.#session.parts.clock.now();
    this.#live.add({ turns: 1 });
    this.#forget();
  }

  endTurn(): void {
    this.#live.add({ seconds: this.#inTurn().seconds });
    this.#earlier = this.#inSession();
    this.#requests.session += this.#requests.turn;
    this.#requests.turn = 0;
    this.#turn = noAmounts();
    this.#startedAt = undefined;
    this.#forget();
  }

  /** Counts the session among the helper agents that it starts. */
  joinTree(tree: object): void {
    if (this.#session.parts.agent === undefined) useOf(tree).root = () => this.of("thread");
  }

  /** Adds a response. */
  add(used: Amounts, isBeside: boolean): void {
    this.#requests[isBeside ? "session" : "turn"]++;
    this.#live.add(used);
    if (isBeside) {
      this.#earlier = addAmounts(this.#earlier, used);
      this.#beside = addAmounts(this.#beside, used);
    } else {
      this.#turn = addAmounts(this.#turn, used);
    }
    const tree = this.#session.parts.agent?.tree;
    if (tree !== undefined) useOf(tree).agents = addAmounts(useOf(tree).agents, used);
  }

  /** Reads what is recorded, once in a turn. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Returns what is used in a scope; `read` has been called in this turn. */
  of(scope: Scope): Amounts {
    const turn = this.#inTurn();
    if (scope === "turn") return { ...turn, turns: this.#requests.turn };
    if (scope === "session") {
      const turns = this.#requests.session + this.#requests.turn;
      return { ...this.#inSession(), turns };
    }
    const { thread, day } = this.#recorded;
    if (scope === "day") {
      if (day === undefined) return this.#inSession();
      // The tokens of the turn are among those that all sessions use.
      const { turns, seconds } = turn;
      return addAmounts(day, addAmounts(this.#live.sinceReset, { ...noAmounts(), turns, seconds }));
    }
    const before = thread === undefined ? this.#earlier : addAmounts(thread, this.#beside);
    const own = addAmounts(before, turn);
    return scope === "thread" ? own : this.#inTree(own);
  }

  #forget(): void {
    this.#recorded = {};
    this.#reading = undefined;
  }

  async #read(): Promise<void> {
    const { config, parts } = this.#session;
    const recorded = this.#recorded;
    const prices = config.settings.model_prices;
    const { path } = parts.log;
    // The log has the start of the running turn, which is counted here.
    const running = this.isInTurn ? 1 : 0;
    const wantsThread = this.#limits.thread !== undefined || this.#limits.tree !== undefined;
    if (wantsThread && path !== undefined) {
      this.#beside = noAmounts();
      recorded.thread = withoutTurns(readThread(path, this.#session.id, prices), running);
    }
    await this.#readAgents();
    if (this.#limits.day !== undefined) {
      this.#live.reset();
      const day = await readDay(config.home, parts.clock.now(), prices);
      recorded.day = withoutTurns(day, running);
    }
  }

  /** Reads what the agents of a resumed conversation have used before; once for the whole tree. */
  async #readAgents(): Promise<void> {
    const { agents, config, parts, replayed } = this.#session;
    if (this.#limits.tree === undefined || agents === undefined) return;
    const use = useOf(agents.tree);
    const isRoot = parts.agent === undefined;
    if (isRoot && replayed.length > 0) {
      use.earlier ??= readAgents(replayed, {
        find: (threadId) => findRollout(config.home, threadId),
        read: (path) => parts.readConversation(path),
        prices: config.settings.model_prices,
      });
    }
    use.recorded = (await use.earlier) ?? noAmounts();
  }

  #inSession(): Amounts {
    return addAmounts(this.#earlier, this.#inTurn());
  }

  #inTurn(): Amounts {
    if (this.#startedAt === undefined) return noAmounts();
    const ms = this.#session.parts.clock.now() - this.#startedAt;
    return { ...this.#turn, seconds: Math.max(0, ms) / 1000 };
  }

  #inTree(own: Amounts): Amounts {
    const { agents, parts } = this.#session;
    const tree = parts.agent?.tree ?? agents?.tree;
    if (tree === undefined) return own;
    const { root, agents: helpers, recorded } = useOf(tree);
    return addAmounts(parts.agent === undefined ? own : root(), addAmounts(helpers, recorded));
  }
}

function useOf(tree: object): TreeUse {
  const found = trees.get(tree) ?? {
    root: noAmounts,
    agents: noAmounts(),
    earlier: undefined,
    recorded: noAmounts(),
  };
  trees.set(tree, found);
  return found;
}

function withoutTurns(amounts: Amounts, count: number): Amounts {
  return { ...amounts, turns: Math.max(0, amounts.turns - count) };
}
