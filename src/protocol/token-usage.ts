import type { TokenUsage } from "./tokens.js";

/** Tokens that every conversation uses before the first user message. */
export const BASELINE_TOKENS = 12_000;

/** Returns a usage of zero. */
export function emptyTokenUsage(): TokenUsage {
  return {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  };
}

/** Adds two usages, field by field. */
export function addTokenUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    cached_input_tokens: left.cached_input_tokens + right.cached_input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    reasoning_output_tokens: left.reasoning_output_tokens + right.reasoning_output_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
  };
}

/** Returns the input tokens that were not cached. */
export function nonCachedInput(usage: TokenUsage): number {
  return Math.max(0, usage.input_tokens - usage.cached_input_tokens);
}

/** Returns the tokens to show to the user: uncached input and all output. */
export function blendedTotal(usage: TokenUsage): number {
  return nonCachedInput(usage) + Math.max(0, usage.output_tokens);
}

/** Returns the tokens that a response takes in the context window; reasoning is not part of it. */
export function tokensInContextWindow(usage: TokenUsage): number {
  return Math.max(0, usage.total_tokens - usage.reasoning_output_tokens);
}

/**
 * Returns the remaining context window in whole percent, from 0 to 100.
 *
 * The baseline is excluded, so that a new conversation has 100 %.
 */
export function percentOfContextRemaining(usage: TokenUsage, contextWindow: number): number {
  if (contextWindow <= BASELINE_TOKENS) return 0;
  const usable = contextWindow - BASELINE_TOKENS;
  const used = Math.max(0, tokensInContextWindow(usage) - BASELINE_TOKENS);
  const remaining = Math.max(0, usable - used);
  return Math.round(Math.min(100, Math.max(0, (remaining / usable) * 100)));
}

/** Formats a token count with three digits and a suffix: 1234 is `1.23K`. */
export function formatTokens(count: number): string {
  const whole = Math.max(0, Math.trunc(count));
  if (whole < 1000) return String(whole);
  for (const [unit, suffix] of units) {
    for (const digits of [2, 1, 0]) {
      const scaled = whole / unit;
      // Compare the rounded value, so that 9.999 becomes 10.0 and 999.95M becomes 1.00G.
      if (Math.round(scaled * 10 ** digits) < 1000) return `${scaled.toFixed(digits)}${suffix}`;
    }
  }
  return `${Math.round(whole / 1e9).toLocaleString("en-US")}G`;
}

const units: readonly [number, string][] = [
  [1e3, "K"],
  [1e6, "M"],
  [1e9, "G"],
];
