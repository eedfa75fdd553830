import type { TokenUsage } from "../../protocol/types.js";

/** Amounts that budgets limit. */
export interface Amounts {
  tokens: number;
  /** In US dollars. */
  money: number;
  turns: number;
  seconds: number;
}

/** Returns zero of everything. */
export function noAmounts(): Amounts {
  return { tokens: 0, money: 0, turns: 0, seconds: 0 };
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    tokens: a.tokens + b.tokens,
    money: a.money + b.money,
    turns: a.turns + b.turns,
    seconds: a.seconds + b.seconds,
  };
}

/** Returns the used share of a limit in percent. */
export function shareOf(used: number, limit: number): number {
  // Rounded first: 0.57 * 100 is less than 57.
  return Math.floor(Math.round((used / limit) * 1e6) / 1e4);
}

/** Formats an amount for people. */
export function textOf(kind: keyof Amounts, amount: number): string {
  if (kind === "money") return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
  if (kind === "seconds") return `${Math.round(amount * 10) / 10} s`;
  return kind === "tokens" ? `${amount} tokens` : String(amount);
}

/** Amounts that a conversation and its helper agents have used together. */
export interface TreeUse {
  /** Used by the user's conversation. */
  root: () => Amounts;
  /** Used by helper agents in this process. */
  agents: Amounts;
  /** Used by them in earlier processes; read when it is first needed. */
  earlier: Promise<Amounts> | undefined;
  /** The same once it is read. */
  recorded: Amounts;
}

/** A task as budgets see it. */
export interface BudgetedTask {
  readonly signal: AbortSignal;
  /** Ends the task at once, with an error. */
  stop(failure: { message: string; isOverBudget: true }): void;
}

/** Budgets of a session, as its tasks see them. */
export interface SessionBudget {
  beginTurn(task: BudgetedTask): void;
  endTurn(): void;
  /** Counts the session among the helper agents that it starts. */
  joinTree(tree: object): void;
  /** Counts a response; one that is beside the turns belongs to none of them. */
  add(usage: TokenUsage | undefined, model: string, options?: { isBeside: boolean }): void;
  /** Returns the reason why no further request may be made, if there is one. */
  exceeded(): Promise<string | undefined>;
}
