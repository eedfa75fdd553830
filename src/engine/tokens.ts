import type { Era } from "../compat/index.js";
import { addTokenUsage, emptyTokenUsage } from "../protocol/token-usage.js";
import type {
  RateLimitSnapshot,
  ResponseItem,
  TokenCountEvent,
  TokenUsage,
} from "../protocol/types.js";

/** Token usage of a conversation. */
export class TokenMeter {
  #total: TokenUsage | undefined;
  #last: TokenUsage | undefined;
  #rateLimits: RateLimitSnapshot | undefined;

  /** Usage of the latest response. */
  get last(): TokenUsage | undefined {
    return this.#last;
  }

  /** Tokens used so far that goals and budgets count: all but cached input. */
  get spent(): number {
    const total = this.#total;
    if (total === undefined) return 0;
    return total.input_tokens - total.cached_input_tokens + total.output_tokens;
  }

  /** Tokens in the context window after the latest response; reasoning is not retained. */
  get lastInContext(): number {
    const last = this.#last;
    return last === undefined ? 0 : last.total_tokens - last.reasoning_output_tokens;
  }

  /** Restores the counts of a recorded conversation. */
  restore({ info, rate_limits }: TokenCountEvent): void {
    if (info != null) {
      this.#total = info.total_token_usage;
      this.#last = info.last_token_usage;
    }
    if (rate_limits != null) this.#rateLimits = rate_limits;
  }

  /** Adds the usage of a response; without one the totals stay. */
  add(usage: TokenUsage | undefined): void {
    if (usage === undefined) return;
    this.#last = usage;
    this.#total = this.#total === undefined ? usage : addTokenUsage(this.#total, usage);
  }

  /** The window holds about so much, after items were taken out of it that had been counted. */
  estimate(tokens: number): void {
    if (this.#last === undefined) return;
    this.#last = { ...emptyTokenUsage(), total_tokens: tokens };
  }

  /** Marks the window as full, as the model's server reported. */
  fill(tokens: number): void {
    const full = { ...emptyTokenUsage(), total_tokens: tokens };
    this.#total ??= full;
    this.#last = full;
  }

  setRateLimits(limits: RateLimitSnapshot | undefined): void {
    if (limits !== undefined) this.#rateLimits = limits;
  }

  /** Returns the current counts; `info` is null until a response has reported its usage. */
  event(contextWindow: number | undefined): TokenCountEvent {
    const limits = this.#rateLimits ?? { primary: null, secondary: null };
    if (this.#total === undefined || this.#last === undefined) {
      return { type: "token_count", info: null, rate_limits: limits };
    }
    const info = {
      total_token_usage: this.#total,
      last_token_usage: this.#last,
      model_context_window: contextWindow ?? null,
    };
    return { type: "token_count", info, rate_limits: limits };
  }
}

/** Numbers the context windows of a conversation: each compaction starts a new one. */
export class ContextWindows {
  readonly #newId: () => string;
  /** Origin of the conversation. */
  beginning: "new" | "warm_fork" | "cold_resume" = "new";
  number = 0;
  id: string;

  constructor(newId: () => string) {
    this.#newId = newId;
    this.id = newId();
  }

  next(): void {
    this.number++;
    this.id = this.#newId();
  }
}

/** Estimates the tokens of items from their size, if no response has reported them. */
export function estimateTokens(items: readonly ResponseItem[]): number {
  const bytes = items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
  return Math.ceil(bytes / bytesPerToken);
}

const bytesPerToken = 4;

/** Inputs for the compaction limit. */
interface CompactLimitParts {
  /** The user's setting. */
  configured: number | undefined;
  /** Context window of the model, if known. */
  window: number | undefined;
  /** Before 0.104 there is no limit by default. */
  era: Era;
}

/** Returns the number of tokens from which a conversation is compacted automatically, if any. */
export function compactLimit({ configured, window, era }: CompactLimitParts): number | undefined {
  if (configured !== undefined) return configured;
  if (window === undefined || !era.since["0.104"]) return undefined;
  return Math.floor((window * 90) / 100);
}
