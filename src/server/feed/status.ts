import type {
  RateLimitSnapshot,
  RateLimitWindow,
  ThreadTokenUsage,
  TokenUsageBreakdown,
} from "../../protocol/rpc/v2/status.js";
import type {
  RateLimitSnapshot as EngineRateLimits,
  McpStartupUpdateEvent,
  TokenUsage,
  TokenUsageInfo,
} from "../../protocol/types.js";
import { type Projections, turnOf } from "./projection.js";

/** Projections of token usage, rate limits, warnings and other facts about a thread. */
export const statusProjections = {
  token_count(event, projection) {
    const { info, rate_limits } = event.msg;
    const { threadId } = projection;
    if (info != null) {
      const { total, last, modelContextWindow } = toThreadTokenUsage(info);
      projection.notify("thread/tokenUsage/updated", {
        threadId,
        turnId: turnOf(event, projection),
        tokenUsage: {
          total,
          last,
          modelContextWindow,
        },
      });
    }
    if (rate_limits == null) return;
    const rateLimits = toRateLimitSnapshot(rate_limits);
    projection.notify("account/rateLimits/updated", { rateLimits });
  },
  warning({ msg }, projection) {
    projection.notify("warning", { threadId: projection.threadId, message: msg.message });
  },
  context_compacted(event, projection) {
    projection.notify("thread/compacted", {
      threadId: projection.threadId,
      turnId: turnOf(event, projection),
    });
  },
  thread_name_updated({ msg }, projection) {
    projection.notify("thread/name/updated", {
      threadId: projection.threadId,
      ...(msg.thread_name == null ? {} : { threadName: msg.thread_name }),
    });
  },
  shutdown_complete(_, projection) {
    projection.status = { type: "notLoaded" };
  },
  mcp_startup_update({ msg }, projection) {
    projection.notify("mcpServer/startupStatus/updated", {
      threadId: projection.threadId,
      name: msg.server,
      status: msg.status.state,
      error: errorOf(msg),
      failureReason: null,
    });
  },
} satisfies Projections;

function errorOf({ status }: McpStartupUpdateEvent): string | null {
  return status.state === "failed" ? status.error : null;
}

/** Converts token usage to v2. */
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
    cacheWriteInputTokens: 0, // not reported by any provider
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  };
}

/** Converts rate limits to v2. */
function toRateLimitSnapshot(limits: EngineRateLimits): RateLimitSnapshot {
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
