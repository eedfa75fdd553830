import type { ItemGuardianApprovalReviewCompletedNotification } from "../../protocol/rpc/v2/auto-review.js";
import type { RateLimitSnapshot, ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import type { TurnPlanStep } from "../wire.js";
import { HelperAgents } from "./agents.js";
import type { ChangeCounts, TurnCell } from "./cell.js";
import type { Settings } from "./settings.js";

/** The running turn. */
interface RunningTurn {
  id: string;
  startedAt: number;
  /** Tokens of the thread at its start. */
  tokensBefore: number;
  /** Diff of the files that it has changed. */
  diff: string;
}

/** A dialog that waits for the user. */
export interface PendingQuestion {
  kind: "approval" | "answer";
}

/** An action that the automatic reviewer has denied. */
export type DeniedAction = Pick<
  ItemGuardianApprovalReviewCompletedNotification,
  "threadId" | "reviewId" | "review" | "action"
>;

/** The state shown around the composer: turn, settings and usage. */
export class Status {
  settings: Settings | undefined;
  threadId: string | undefined;
  threadName: string | undefined;
  turn: RunningTurn | undefined;
  /** Files with the instructions that the session has read. */
  instructionSources: readonly string[] = [];
  /** Thread that a side chat is a copy of; undefined outside of side chats. */
  mainThreadId: string | undefined;
  /** The connection to the server is lost; the client is reconnecting. */
  isDisconnected = false;
  /** The thread has a turn, so it is persisted and can be resumed. */
  hasTurns = false;
  usage: ThreadTokenUsage | undefined;
  limits: RateLimitSnapshot | undefined;
  /** Plan that the agent proposed in this turn. */
  proposedPlan: string | undefined;
  /** Set while a lost connection to the model is being retried. */
  retry: Retry | undefined;
  /** Actions that the automatic reviewer has denied, by review; the user can overrule each. */
  readonly denials = new Map<string, DeniedAction>();
  readonly agents = new HelperAgents();
  /** Texts of the hooks and reviews that run, by run. */
  readonly hooks = new Map<string, string>();
  /** Diff of the files changed in the last turn. */
  diff = "";
  /** The last turn that ended; the session prints it. */
  ended: TurnCell | undefined;
  /** The last turn failed. */
  hasFailed = false;
  /** Limits of the session, from the config. */
  budget: BudgetLimits = {};
  /** Turns and their time since the thread was opened, and tokens before. */
  #used = { turns: 0, seconds: 0, tokensBefore: 0 };
  /** Git branch of the folder. */
  branch: string | undefined;
  /** Cost of the thread in US dollars, if it was requested and all prices are known. */
  cost: number | undefined;
  /** Steps of the last plan. */
  plan: readonly TurnPlanStep[] = [];
  readonly #pending: PendingQuestion[] = [];

  get isWorking(): boolean {
    return this.turn !== undefined;
  }

  turnStarted(id: string, now: number): void {
    if (this.turn?.id === id) return;
    const tokensBefore = this.usage?.total.totalTokens ?? 0;
    this.turn = { id, startedAt: now, tokensBefore, diff: "" };
    this.hasTurns = true;
    this.hasFailed = false;
    this.#used.turns += 1;
    this.proposedPlan = undefined;
    this.retry = undefined;
  }

  /** Summarizes the running turn, which has just ended. */
  summarize(status: TurnCell["status"], durationMs: number | null | undefined, now: number) {
    const { startedAt = now, tokensBefore = 0, diff = "" } = this.turn ?? {};
    const total = this.usage?.total.totalTokens ?? 0;
    const time = durationMs ?? now - startedAt;
    this.hasFailed = status === "failed";
    this.#used.seconds += time / 1000;
    this.ended = {
      kind: "turn",
      status,
      durationMs: time,
      tokens: Math.max(0, total - tokensBefore),
      changes: countChanges(diff),
    };
  }

  turnEnded(): void {
    this.hooks.clear();
    this.turn = undefined;
    this.retry = undefined;
  }

  /** Sets the usage of the thread; the first of a resumed one is from before this session. */
  setUsage(usage: ThreadTokenUsage): void {
    if (this.usage === undefined && this.turn === undefined) {
      this.#used.tokensBefore = budgetTokens(usage);
    }
    this.usage = usage;
  }

  /** Returns the used part of the tightest budget in percent; undefined if there is none. */
  budgetUsed(): number | undefined {
    const { session = {}, thread = {} } = this.budget;
    const tokens = this.usage === undefined ? 0 : budgetTokens(this.usage);
    const { turns, seconds, tokensBefore } = this.#used;
    const money = this.cost ?? 0;
    const shares = [
      share(tokens - tokensBefore, session.tokens),
      share(money, session.money),
      share(turns, session.turns),
      share(seconds, session.seconds),
      share(tokens, thread.tokens),
      share(money, thread.money),
    ].filter((part) => part !== undefined);
    return shares.length === 0 ? undefined : Math.max(...shares);
  }

  /** The oldest pending dialog. */
  get pending(): PendingQuestion | undefined {
    return this.#pending[0];
  }

  /** Records a pending dialog; call the returned function when it closes. */
  asked(kind: PendingQuestion["kind"]): () => void {
    const question = { kind };
    this.#pending.push(question);
    return () => {
      this.#pending.splice(this.#pending.indexOf(question), 1);
    };
  }

  /** Returns the free part of the context window in percent; undefined if unknown. */
  contextLeft(): number | undefined {
    const window = this.usage?.modelContextWindow;
    if (!window || this.usage === undefined) return undefined;
    // The base instructions, which the user cannot free.
    const fixed = 12_000;
    if (window <= fixed) return 0;
    const used = Math.max(0, this.usage.last.totalTokens - fixed);
    return Math.round(Math.min(1, Math.max(0, 1 - used / (window - fixed))) * 100);
  }

  clear(): void {
    this.denials.clear();
    this.agents.clear();
    this.turnEnded();
    this.threadName = undefined;
    this.mainThreadId = undefined;
    this.hasTurns = false;
    this.proposedPlan = undefined;
    this.usage = undefined;
    this.diff = "";
    this.ended = undefined;
    this.hasFailed = false;
    this.#used = { turns: 0, seconds: 0, tokensBefore: 0 };
    this.cost = undefined;
    this.plan = [];
  }
}

/** Limits of one scope; see `budget` in the config. */
interface ScopeLimits {
  tokens?: number;
  money?: number;
  turns?: number;
  seconds?: number;
}

/** Limits of the session and of the thread. */
export interface BudgetLimits {
  session?: ScopeLimits | undefined;
  thread?: ScopeLimits | undefined;
}

/** Returns the tokens that budgets count: input that was not cached, and output. */
function budgetTokens({ total }: ThreadTokenUsage): number {
  return total.inputTokens - total.cachedInputTokens + total.outputTokens;
}

function share(used: number, limit: number | undefined): number | undefined {
  return limit === undefined || limit <= 0 ? undefined : (used / limit) * 100;
}

/** A retry of the connection to the model. */
interface Retry {
  /** Time of the notification, in milliseconds. */
  since: number;
  text: string;
  /** Time of the next attempt, if the server reported it. */
  until: number | undefined;
}

/** Parses the time of the next attempt from a message such as `…; retrying 2/5 in 1.9s…`. */
export function readRetry(message: string, now: number): Retry {
  const match = /^(.*?;? ?retrying(?: \d+\/\d+)?) in ([\d.]+)(ms|s)\u2026?$/s.exec(message);
  if (match === null) return { since: now, text: message, until: undefined };
  const [, text = message, amount = "0", unit] = match;
  return { since: now, text, until: now + Number(amount) * (unit === "s" ? 1000 : 1) };
}

/** Formats a retry with the time to the next attempt, or since the connection was lost. */
export function retryText({ text, since, until }: Retry, now: number): string {
  const seconds = (ms: number) => `${Math.max(0, Math.ceil(ms / 1000))}s`;
  if (until === undefined) return `${text} (${seconds(now - since)} ago)`;
  return until > now ? `${text} in ${seconds(until - now)}` : `${text} now`;
}

/** Counts the files and lines of a unified diff of several files. */
export function countChanges(diff: string): ChangeCounts {
  const counts = { files: 0, added: 0, removed: 0 };
  for (const file of diff.split(/^(?=diff --git )/m)) {
    const hunks = file.indexOf("\n@@");
    counts.files += file.startsWith("diff --git ") ? 1 : 0;
    const body = hunks === -1 ? "" : file.slice(hunks);
    counts.added += body.match(/^\+/gm)?.length ?? 0;
    counts.removed += body.match(/^-/gm)?.length ?? 0;
  }
  return counts;
}
