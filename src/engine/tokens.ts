import { addTokenUsage, emptyTokenUsage } from "../protocol/token-usage.js";
import type {
  RateLimitSnapshot,
  ResponseItem,
  TokenCountEvent,
  TokenUsage,
} from "../protocol/types.js";

/** Counts what a conversation has cost. */
export class TokenMeter {
  #total: TokenUsage | undefined;
  #last: TokenUsage | undefined;
  #rateLimits: RateLimitSnapshot | undefined;

  /** What the latest response used. */
  get last(): TokenUsage | undefined {
    return this.#last;
  }

  /** How much of the window the latest response left filled; its reasoning is not kept. */
  get lastInContext(): number {
    const last = this.#last;
    return last === undefined ? 0 : last.total_tokens - last.reasoning_output_tokens;
  }

  /** Goes on counting from where a recorded conversation was left. */
  restore({ info, rate_limits }: TokenCountEvent): void {
    if (info != null) {
      this.#total = info.total_token_usage;
      this.#last = info.last_token_usage;
    }
    if (rate_limits != null) this.#rateLimits = rate_limits;
  }

  /** Adds a response; one without usage leaves the totals as they are. */
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

  /** The window is full, by the word of the model's server. */
  fill(tokens: number): void {
    const full = { ...emptyTokenUsage(), total_tokens: tokens };
    this.#total ??= full;
    this.#last = full;
  }

  setRateLimits(limits: RateLimitSnapshot | undefined): void {
    if (limits !== undefined) this.#rateLimits = limits;
  }

  /** The event that says where things stand; `info` is null until a response told its usage. */
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

/** Counts the windows of a conversation: each summary begins a new one. */
export class ContextWindows {
  readonly #newId: () => string;
  /** How the conversation came about. */
  beginning: "new" | "resumed" = "new";
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

/** About how many tokens items take, by their size; for when no response has told it. */
export function estimateTokens(items: readonly ResponseItem[]): number {
  const bytes = items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
  return Math.ceil(bytes / bytesPerToken);
}

const bytesPerToken = 4;

/** What decides how full a conversation may get. */
interface CompactLimitParts {
  /** What the user has set. */
  configured: number | undefined;
  /** How much the model can be shown, when that is known. */
  window: number | undefined;
  /** The part of the window that may be filled when the user says nothing; absent: all of it. */
  percent: number | undefined;
}

/** From how many tokens in its window on a conversation is summarized by itself, if at all. */
export function compactLimit({
  configured,
  window,
  percent,
}: CompactLimitParts): number | undefined {
  if (configured !== undefined) return configured;
  if (percent === undefined || window === undefined) return undefined;
  return Math.floor((window * percent) / 100);
}
