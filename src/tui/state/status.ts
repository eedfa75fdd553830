import type { ItemGuardianApprovalReviewCompletedNotification } from "../../protocol/rpc/v2/auto-review.js";
import type { RateLimitSnapshot, ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import { HelperAgents } from "./agents.js";
import type { Settings } from "./settings.js";

/** The running turn. */
interface RunningTurn {
  id: string;
  startedAt: number;
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
  /** The connection to the server is lost; the client is reconnecting. */
  isDisconnected = false;
  /** The thread has a turn, so it is persisted and can be resumed. */
  hasTurns = false;
  usage: ThreadTokenUsage | undefined;
  limits: RateLimitSnapshot | undefined;
  /** Set while a lost connection to the model is being retried. */
  retry: Retry | undefined;
  /** Actions that the automatic reviewer has denied, by review; the user can overrule each. */
  readonly denials = new Map<string, DeniedAction>();
  readonly agents = new HelperAgents();
  /** Texts of the hooks and reviews that run, by run. */
  readonly hooks = new Map<string, string>();
  /** Diff of the files changed in the last turn. */
  diff = "";
  readonly #pending: PendingQuestion[] = [];

  get isWorking(): boolean {
    return this.turn !== undefined;
  }

  turnStarted(id: string, now: number): void {
    if (this.turn?.id === id) return;
    this.turn = { id, startedAt: now };
    this.hasTurns = true;
    this.retry = undefined;
  }

  turnEnded(): void {
    this.hooks.clear();
    this.turn = undefined;
    this.retry = undefined;
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
    this.hasTurns = false;
    this.usage = undefined;
    this.diff = "";
  }
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
