import type { Config } from "../../config/index.js";
import { costOf, priceOf } from "../../model/index.js";
import type { TokenUsage } from "../../protocol/types.js";
import { findRollout } from "../../rollout/index.js";
import type { Session } from "../session.js";
import {
  type Amounts,
  addAmounts,
  type BudgetedTask,
  noAmounts,
  type SessionBudget,
  shareOf,
  type TreeUse,
  textOf,
} from "./amounts.js";
import { readAgents, readDay, readThread } from "./recorded.js";

/** Limits of the config by scope. */
type Limits = NonNullable<Config["settings"]["budget"]>;

type Scope = "turn" | "session" | "thread" | "tree" | "day";

/** Budgets in the order in which they are checked. */
const scopes = ["turn", "session", "thread", "tree", "day"] as const satisfies readonly Scope[];

const trees = new WeakMap<object, TreeUse>();

/**
 * Budgets of a session: warns at 80 % and fails the turn at 100 %, before its next request.
 *
 * Time is the exception: it ends a turn at once. What other sessions have used is read when a turn starts.
 */
export class Budget implements SessionBudget {
  readonly #session: Session;
  readonly #warned = new Set<string>();
  readonly #limits: Limits;
  /** Used in this session, without the running turn. */
  #earlier = noAmounts();
  #turn = noAmounts();
  #requests = { session: 0, turn: 0 };
  /** Start of the running turn. */
  #startedAt: number | undefined;
  /** Used before the running turn, by this thread and by all threads today. */
  #recorded: Partial<Record<Scope, Amounts>> = {};
  #isRead = false;

  constructor(session: Session, limits: Limits) {
    this.#session = session;
    this.#limits = limits;
  }

  beginTurn(task: BudgetedTask): void {
    this.#turn = { ...noAmounts(), turns: 1 };
    this.#startedAt = this.#session.parts.clock.now();
    this.#isRead = false;
    this.#recorded = {};
    for (const scope of scopes) {
      const limit = this.#limits[scope]?.seconds;
      if (limit !== undefined) void this.#stopAt(scope, limit, task).catch(() => undefined);
    }
  }

  endTurn(): void {
    this.#earlier = this.#inSession();
    this.#requests.session += this.#requests.turn;
    this.#requests.turn = 0;
    this.#turn = noAmounts();
    this.#startedAt = undefined;
  }

  joinTree(tree: object): void {
    if (this.#session.parts.agent === undefined) useOf(tree).root = () => this.#usedIn("thread");
  }

  /** Stops a task when its time is over; rejects if it ends before. */
  async #stopAt(scope: Scope, limit: number, task: BudgetedTask): Promise<void> {
    await Promise.resolve(); // the start of the turn is recorded by then
    await this.#read();
    const leftMs = (limit - this.#usedIn(scope).seconds) * 1000;
    const { clock } = this.#session.parts;
    await clock.sleep(Math.min(Math.max(leftMs, 0), longestMs), task.signal);
    task.stop({ message: exceeded(scope, "seconds", limit, limit), isOverBudget: true });
  }

  add(usage: TokenUsage | undefined, model: string): void {
    this.#requests.turn++;
    if (usage === undefined) return;
    const { input_tokens: input, cached_input_tokens: cachedInput, output_tokens: output } = usage;
    const price = priceOf(model, this.#session.config.settings.model_prices);
    const hasMoney = scopes.some((scope) => this.#limits[scope]?.money !== undefined);
    if (price === undefined && hasMoney) this.#warnOfPrice(model);
    const money = price === undefined ? 0 : costOf({ input, cachedInput, output }, price);
    const used = { tokens: input - cachedInput + output, money, turns: 0, seconds: 0 };
    this.#turn = addAmounts(this.#turn, used);
    const tree = this.#session.parts.agent?.tree;
    if (tree !== undefined) useOf(tree).agents = addAmounts(useOf(tree).agents, used);
    for (const scope of scopes) this.#warn(scope);
  }

  /** Returns the message for the user if a budget is used up. */
  async exceeded(): Promise<string | undefined> {
    await this.#read();
    for (const scope of scopes) {
      const limits = this.#limits[scope];
      if (limits === undefined) continue;
      const used = this.#usedIn(scope);
      for (const kind of ["tokens", "money", "turns", "seconds"] as const) {
        const limit = limits[kind];
        if (limit === undefined) continue;
        const isCount = kind === "turns" && scope !== "turn" && scope !== "session";
        const isOver = isCount ? used.turns > limit : used[kind] >= limit;
        if (isOver) return exceeded(scope, kind, used[kind], limit);
      }
      this.#warn(scope);
    }
    return undefined;
  }

  async #read(): Promise<void> {
    if (this.#isRead) return;
    this.#isRead = true;
    const { config, parts } = this.#session;
    const prices = config.settings.model_prices;
    const { path } = parts.log;
    const wantsThread = this.#limits.thread !== undefined || this.#limits.tree !== undefined;
    if (wantsThread && path !== undefined) {
      this.#recorded.thread = readThread(path, this.#session.id, prices);
    }
    await this.#readAgents();
    if (this.#limits.day !== undefined) {
      this.#recorded.day = await readDay(config.home, parts.clock.now(), prices);
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

  #usedIn(scope: Scope): Amounts {
    const turn = this.#inTurn();
    if (scope === "turn") return { ...turn, turns: this.#requests.turn };
    if (scope === "session") {
      const turns = this.#requests.session + this.#requests.turn;
      return { ...this.#inSession(), turns };
    }
    if (scope === "day") return addAmounts(this.#recorded.day ?? this.#earlier, turn);
    const own = addAmounts(this.#recorded.thread ?? this.#earlier, turn);
    return scope === "thread" ? own : this.#inTree(own);
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

  #warn(scope: Scope): void {
    const limits = this.#limits[scope];
    if (limits === undefined) return;
    const used = this.#usedIn(scope);
    for (const kind of ["tokens", "money", "turns", "seconds"] as const) {
      const limit = limits[kind];
      const key = `${scope} ${kind} ${scope === "turn" ? this.#session.task?.turnId : ""}`;
      if (limit === undefined || this.#warned.has(key) || used[kind] < warnShare * limit) continue;
      this.#warned.add(key);
      const share = shareOf(used[kind], limit);
      const message = `${share} % of the budget \`budget.${scope}.${kind}\` is used: ${textOf(kind, used[kind])} of ${textOf(kind, limit)}`;
      this.#session.emit(this.#session.task?.id ?? "", { type: "warning", message });
    }
  }

  #warnOfPrice(model: string): void {
    this.#session.warn(
      `The price of ${model} is not known, so its tokens do not count for budgets of money. Set it in config.toml: [model_prices."${model}"]`,
    );
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

function exceeded(scope: Scope, kind: keyof Amounts, used: number, limit: number): string {
  const name = `budget.${scope}.${kind}`;
  return `The budget \`${name}\` is used up: ${textOf(kind, used)} of ${textOf(kind, limit)}. Raise it to continue`;
}

const warnShare = 0.8;

const longestMs = 2 ** 31 - 1;
