import { fileURLToPath } from "node:url";
import { reviewHint, reviewText } from "../../engine/review/index.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { Turn, TurnItemsView } from "../../protocol/rpc/v2/turn.js";
import type {
  EventMsg,
  ExecCommandEndEvent,
  PatchApplyEndEvent,
  ReviewOutputEvent,
} from "../../protocol/types.js";
import type { EventItem, RebuiltItem, RebuiltTurn } from "../../rollout/index.js";
import { endedCommand, endedFileChange, endedMcpCall, toDynamicCall } from "../items/calls.js";
import { toThreadItem, toTurnPlan, toWebSearchItem } from "../items/messages.js";

/** Converts a recorded turn to v2, with the items of a view. */
export function toTurn(rebuilt: RebuiltTurn, view: TurnItemsView, runningId?: string): Turn {
  const { id, status, error, startedAtMs, completedAtMs, responseId, plan } = rebuilt;
  const isRunning = id === runningId;
  const [from, to] = [startedAtMs, isRunning ? undefined : completedAtMs];
  return {
    id,
    rootTurnId: rebuilt.rootTurnId ?? (/^turn-\d+$/.test(id) ? null : id),
    items: itemsIn(view, rebuilt.items),
    itemsView: view,
    status: isRunning ? "inProgress" : status,
    error:
      error === undefined
        ? null
        : { message: error, codexErrorInfo: null, additionalDetails: null, misalignment: null },
    startedAt: toSeconds(from),
    completedAt: toSeconds(to),
    durationMs: from === undefined || to === undefined ? null : Math.max(0, to - from),
    responseId: isRunning ? null : (responseId ?? null),
    ...(plan === undefined ? {} : { plan: toTurnPlan(plan) }),
  };
}

function itemsIn(view: TurnItemsView, items: readonly RebuiltItem[]): ThreadItem[] {
  switch (view) {
    case "notLoaded":
      return [];
    case "full":
      return items.flatMap(toRebuiltItem);
    case "summary": {
      const shown = [
        items.find(({ type }) => type === "UserMessage"),
        items.findLast(({ type }) => type === "AgentMessage"),
      ];
      return shown.flatMap((item) => (item === undefined ? [] : toRebuiltItem(item)));
    }
  }
}

function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}

/** Converts an item of a recorded turn to v2; returns an empty list if v2 has no such item. */
export function toRebuiltItem(rebuilt: RebuiltItem): ThreadItem[] {
  const { startedAtMs, completedAtMs, ...item } = rebuilt;
  const shown = item.type === "Event" ? toEventItem(item as EventItem) : toThreadItem(item);
  if (shown === undefined) return [];
  if (completedAtMs === undefined) return [shown];
  const times = { startedAtMs: startedAtMs ?? completedAtMs - lengthOf(shown), completedAtMs };
  return [{ ...shown, ...times }];
}

function toEventItem({ id, msg }: EventItem): ThreadItem | undefined {
  switch (msg.type) {
    case "exec_command_end":
      return endedCommand(msg, undefined);
    case "patch_apply_end":
      return endedFileChange(msg, undefined);
    case "mcp_tool_call_end":
      return endedMcpCall(msg);
    case "dynamic_tool_call_response":
      return toDynamicCall(msg);
    case "web_search_end":
      return toWebSearchItem(id, msg.query, undefined);
    case "entered_review_mode":
      return { type: "enteredReviewMode", id, review: reviewHint(msg) };
    case "exited_review_mode":
      return { type: "exitedReviewMode", id, review: reviewText(msg) };
    case "item_completed":
      return toLoggedItem((msg as Extract<EventMsg, { type: "item_completed" }>).item);
    default:
      return undefined;
  }
}

function lengthOf(item: ThreadItem): number {
  return "durationMs" in item ? (item.durationMs ?? 0) : 0;
}

/**
 * Converts an item that a later version of the reference recorded, of a type that the engine does
 * not have.
 *
 * Returns `undefined` for anything unexpected: a file can be of any version and origin.
 */
export function toLoggedItem(item: unknown): ThreadItem | undefined {
  if (!isRecord(item) || typeof item.id !== "string") return undefined;
  switch (item.type) {
    case "CommandExecution":
      return toCommand(item, item.id);
    case "FileChange":
      return toFileChange(item, item.id);
    case "McpToolCall":
      return toMcpCall(item, item.id);
    case "EnteredReviewMode":
      return { type: "enteredReviewMode", id: item.id, review: textOf(item.user_facing_hint) };
    case "ExitedReviewMode":
      return { type: "exitedReviewMode", id: item.id, review: toReview(item.review_output) };
    case "ImageView":
      return typeof item.path === "string"
        ? { type: "imageView", id: item.id, path: item.path }
        : undefined;
    default:
      return undefined;
  }
}

function toCommand(item: JsonRecord, call_id: string): ThreadItem | undefined {
  const { command, cwd, exit_code, duration } = item;
  if (!Array.isArray(command) || typeof cwd !== "string") return undefined;
  const msg = {
    ...item,
    type: "exec_command_end",
    call_id,
    cwd: cwd.startsWith("file://") ? fileURLToPath(cwd) : cwd,
    exit_code: typeof exit_code === "number" ? exit_code : -1,
    aggregated_output: textOf(item.aggregated_output),
    duration: isRecord(duration) ? duration : { secs: 0, nanos: 0 },
  };
  return endedCommand(msg as unknown as ExecCommandEndEvent, undefined);
}

function toFileChange(item: JsonRecord, call_id: string): ThreadItem | undefined {
  if (!isRecord(item.changes)) return undefined;
  const msg = { ...item, type: "patch_apply_end", call_id, success: item.status === "completed" };
  return endedFileChange(msg as unknown as PatchApplyEndEvent, undefined);
}

function toReview(output: unknown): string {
  if (!isRecord(output) || !Array.isArray(output.findings)) return reviewText({});
  const { findings, overall_explanation } = output;
  const whole = findings.filter(isFinding);
  const shown = { findings: whole, overall_explanation: textOf(overall_explanation) };
  return reviewText({ review_output: shown as unknown as ReviewOutputEvent });
}

function isFinding(finding: unknown): boolean {
  if (!isRecord(finding) || !isRecord(finding.code_location)) return false;
  return isRecord(finding.code_location.line_range) && typeof finding.body === "string";
}

function toMcpCall(item: JsonRecord, id: string): ThreadItem {
  const { result, error, status } = item;
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : undefined;
  return {
    type: "mcpToolCall",
    id,
    server: textOf(item.server),
    tool: textOf(item.tool),
    status: status === "failed" ? "failed" : "completed",
    arguments: item.arguments ?? null,
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint: null,
    result:
      content === undefined || !isRecord(result)
        ? null
        : { content, structuredContent: result.structuredContent ?? null, _meta: null },
    error: isRecord(error) ? { message: textOf(error.message) } : null,
    durationMs: null,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
