import { costOf, priceOf } from "../../model/index.js";
import type { TokenUsage } from "../../protocol/types.js";
import type { Session } from "../session.js";
import {
  type Amounts,
  type BudgetedTask,
  noAmounts,
  type SessionBudget,
  shareOf,
  textOf,
} from "./amounts.js";
import { type Limits, type Scope, SessionUse } from "./use.js";

/** Budgets in the order in which they are checked. */
const scopes = ["turn", "session", "thread", "tree", "day"] as const satisfies readonly Scope[];

/**
 * Budgets of a session: warns at 80 % and fails the turn at 100 %, before its next request.
 *
 * Time is the exception: it ends a turn at once.
 */
export class Budget implements SessionBudget {
  readonly #session: Session;
  readonly #warned = new Set<string>();
  readonly #limits: Limits;
  readonly #use: SessionUse;

  constructor(session: Session, limits: Limits) {
    this.#session = session;
    this.#limits = limits;
    this.#use = new SessionUse(session, limits);
  }

  beginTurn(task: BudgetedTask): void {
    this.#use.beginTurn();
    for (const scope of scopes) {
      const limit = this.#limits[scope]?.seconds;
      if (limit !== undefined) void this.#stopAt(scope, limit, task).catch(() => undefined);
    }
  }

  endTurn(): void {
    this.#use.endTurn();
  }

  joinTree(tree: object): void {
    this.#use.joinTree(tree);
  }

  /** Warns before the time of a task is over, and stops it then; rejects if it ends before. */
  async #stopAt(scope: Scope, limit: number, task: BudgetedTask): Promise<void> {
    await Promise.resolve(); // the start of the turn is recorded by then
    await this.#use.read();
    const { clock } = this.#session.parts;
    const until = (seconds: number) => {
      const leftMs = (seconds - this.#use.of(scope).seconds) * 1000;
      return clock.sleep(Math.min(Math.max(Math.ceil(leftMs), 0), longestMs), task.signal);
    };
    await until(warnShare * limit);
    this.#warn(scope, ["seconds"], warnShare * limit);
    await until(limit);
    task.stop({ message: exceeded(scope, "seconds", limit, limit), isOverBudget: true });
  }

  add(usage: TokenUsage | undefined, model: string, { isBeside = false } = {}): void {
    this.#use.add(this.#amountsOf(usage, model), isBeside);
    for (const scope of scopes) this.#warn(scope);
  }

  #amountsOf(usage: TokenUsage | undefined, model: string): Amounts {
    if (usage === undefined) return noAmounts();
    const { input_tokens: input, cached_input_tokens: cachedInput, output_tokens: output } = usage;
    const price = priceOf(model, this.#session.config.settings.model_prices);
    const hasMoney = scopes.some((scope) => this.#limits[scope]?.money !== undefined);
    if (price === undefined && hasMoney) this.#warnOfPrice(model);
    const money = price === undefined ? 0 : costOf({ input, cachedInput, output }, price);
    return { ...noAmounts(), tokens: input - cachedInput + output, money };
  }

  /** Returns the message for the user if a budget is used up. */
  async exceeded(): Promise<string | undefined> {
    await this.#use.read();
    for (const scope of scopes) {
      const limits = this.#limits[scope];
      if (limits === undefined) continue;
      const used = this.#use.of(scope);
      for (const kind of kinds) {
        const limit = limits[kind];
        if (limit === undefined) continue;
        const isCount = kind === "turns" && scope !== "turn" && scope !== "session";
        // The running turn is one of those that may run.
        const before = isCount && this.#use.isInTurn ? used.turns - 1 : used[kind];
        if (before >= limit) return exceeded(scope, kind, before, limit);
      }
      this.#warn(scope);
    }
    return undefined;
  }

  /** Warns once of each amount that is nearly used up; `least` stands for a timer that is early. */
  #warn(scope: Scope, ofKinds: readonly (keyof Amounts)[] = kinds, least = 0): void {
    const limits = this.#limits[scope];
    if (limits === undefined) return;
    const all = this.#use.of(scope);
    for (const kind of ofKinds) {
      const limit = limits[kind];
      const used = Math.max(all[kind], least);
      const key = `${scope} ${kind} ${scope === "turn" ? this.#session.task?.turnId : ""}`;
      if (limit === undefined || this.#warned.has(key) || used < warnShare * limit) continue;
      this.#warned.add(key);
      const share = shareOf(used, limit);
      const message = `${share} % of the budget \`budget.${scope}.${kind}\` is used: ${textOf(kind, used)} of ${textOf(kind, limit)}`;
      this.#session.emit(this.#session.task?.id ?? "", { type: "warning", message });
    }
  }

  #warnOfPrice(model: string): void {
    this.#session.warn(
      `The price of ${model} is not known, so its tokens do not count for budgets of money. Set it in config.toml: [model_prices."${model}"]`,
    );
  }
}

function exceeded(scope: Scope, kind: keyof Amounts, used: number, limit: number): string {
  const name = `budget.${scope}.${kind}`;
  return `The budget \`${name}\` is used up: ${textOf(kind, used)} of ${textOf(kind, limit)}. Raise it to continue`;
}

const kinds = ["tokens", "money", "turns", "seconds"] as const;

const warnShare = 0.8;

const longestMs = 2 ** 31 - 1;
