import type { McpStartupUpdateEvent } from "../../../protocol/types.js";
import { toEraFields } from "../era-fields.js";
import { turnOf } from "./place.js";
import { toRateLimitSnapshot, toThreadTokenUsage } from "./tokens.js";
import type { Translators } from "./translators.js";

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
