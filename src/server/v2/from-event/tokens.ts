import type {
  RateLimitSnapshot,
  RateLimitWindow,
  ThreadTokenUsage,
  TokenUsageBreakdown,
} from "../../../protocol/rpc/v2/status.js";
import type {
  RateLimitSnapshot as EngineRateLimits,
  TokenUsage,
  TokenUsageInfo,
} from "../../../protocol/types.js";

/** What a thread has cost, as v2 writes it. */
export function toThreadTokenUsage(info: TokenUsageInfo): ThreadTokenUsage {
  return {
    total: toBreakdown(info.total_token_usage),
    last: toBreakdown(info.last_token_usage),
    modelContextWindow: info.model_context_window ?? null,
  };
}

function toBreakdown(usage: TokenUsage): TokenUsageBreakdown {
  return {
    totalTokens: usage.total_tokens,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    cacheWriteInputTokens: 0, // providers that we ask do not tell
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  };
}

/** How far limits are used up, as v2 writes it. */
export function toRateLimitSnapshot(limits: EngineRateLimits): RateLimitSnapshot {
  const { credits } = limits;
  return {
    limitId: limits.limit_id ?? null,
    limitName: limits.limit_name ?? null,
    normalModelSlug: null,
    primary: toWindow(limits.primary),
    secondary: toWindow(limits.secondary),
    credits:
      credits == null
        ? null
        : {
            hasCredits: credits.has_credits,
            unlimited: credits.unlimited,
            balance: credits.balance ?? null,
          },
    individualLimit: null,
    spendControlReached: null,
    planType: limits.plan_type ?? null,
    rateLimitReachedType: null,
  };
}

function toWindow(window: EngineRateLimits["primary"]): RateLimitWindow | null {
  if (window == null) return null;
  return {
    usedPercent: Math.round(window.used_percent),
    windowDurationMins: window.window_minutes ?? null,
    resetsAt: window.resets_at ?? null,
  };
}
