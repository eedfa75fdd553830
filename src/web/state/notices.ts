import type { ServerNotification } from "../../client/index.js";
import { describeAutoReview } from "../../protocol/auto-review-text.js";
import { describeHookRun } from "../../protocol/hook-run-text.js";
import type { NoticeItem } from "./entries.js";

/** A line of the conversation that is no item. */
type Notice = Pick<NoticeItem, "level" | "text">;

/** Returns the lines that a notification adds to the conversation; most add none. */
export function noticesOf({ method, params }: ServerNotification): Notice[] {
  switch (method) {
    case "error":
      return params.willRetry ? [warning(params.error.message)] : [];
    case "warning":
    case "guardianWarning":
      return [warning(params.message)];
    case "deprecationNotice":
      // Concerns this page, not the user.
      if (params.summary.startsWith("Full-history hydration")) return [];
      return [warning(params.details ? `${params.summary}: ${params.details}` : params.summary)];
    case "configWarning":
      return [warning(params.details ? `${params.summary}: ${params.details}` : params.summary)];
    case "mcpServer/startupStatus/updated": {
      const { name, status, error } = params;
      if (status !== "failed") return [];
      return [warning(`MCP server ${name} failed to start${error ? `: ${error}` : ""}`)];
    }
    case "hook/completed": {
      const warnings = params.run.entries.filter(({ kind }) => kind === "warning");
      const result = describeHookRun(params.run);
      // The reason for which a turn continues is an item.
      const isItem = params.run.status === "blocked" && /stop$/i.test(params.run.eventName);
      const level = params.run.status === "failed" ? "error" : "warning";
      return [
        ...warnings.map(({ text }) => warning(text)),
        ...(result === undefined || isItem ? [] : [{ level, text: result } as const]),
      ];
    }
    case "item/autoApprovalReview/completed": {
      const level = params.review.status === "approved" ? "info" : "warning";
      return [{ level, text: describeAutoReview(params) }];
    }
    default:
      return [];
  }
}

function warning(text: string): Notice {
  return { level: "warning", text };
}
