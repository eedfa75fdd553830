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
import { toEraFields } from "../v2/era-fields.js";
import { type Translators, turnOf } from "./projection.js";

/** What a thread costs, and what else is to be known of it. */
export const statusTranslators: Translators = {
  token_count(event, teller) {
    const { info, rate_limits } = event.msg;
    const { threadId, era } = teller;
    if (info != null) {
      const { total, last, modelContextWindow } = toThreadTokenUsage(info);
      const lacking = era.lacks.TokenUsageBreakdown;
      teller.tell("thread/tokenUsage/updated", {
        threadId,
        turnId: turnOf(event, teller),
        tokenUsage: {
          total: toEraFields(total, lacking),
          last: toEraFields(last, lacking),
          modelContextWindow,
        },
      });
    }
    if (rate_limits == null) return;
    const rateLimits = toEraFields(toRateLimitSnapshot(rate_limits), era.lacks.RateLimitSnapshot);
    teller.tell("account/rateLimits/updated", { rateLimits });
  },
  warning({ msg }, teller) {
    teller.tell("warning", { threadId: teller.threadId, message: msg.message });
  },
  context_compacted(event, teller) {
    teller.tell("thread/compacted", {
      threadId: teller.threadId,
      turnId: turnOf(event, teller),
    });
  },
  thread_name_updated({ msg }, teller) {
    teller.tell("thread/name/updated", {
      threadId: teller.threadId,
      ...(msg.thread_name == null ? {} : { threadName: msg.thread_name }),
    });
  },
  shutdown_complete(_, teller) {
    teller.status = { type: "notLoaded" };
  },
  mcp_startup_update({ msg }, teller) {
    teller.tell("mcpServer/startupStatus/updated", {
      threadId: teller.threadId,
      name: msg.server,
      status: msg.status.state,
      error: errorOf(msg),
      failureReason: null,
    });
  },
};

function errorOf({ status }: McpStartupUpdateEvent): string | null {
  return status.state === "failed" ? status.error : null;
}

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
