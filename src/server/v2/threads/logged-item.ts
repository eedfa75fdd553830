import { fileURLToPath } from "node:url";
import { isRecord, type JsonRecord } from "../../../protocol/read/record.js";
import type { ThreadItem } from "../../../protocol/rpc/v2/item.js";
import type {
  ExecCommandEndEvent,
  PatchApplyEndEvent,
  ReviewOutputEvent,
} from "../../../protocol/types.js";
import { endedCommand, endedFileChange, reviewText } from "../items/index.js";

/**
 * An item that a later version of the reference logged, of a type that the engine does not have.
 *
 * What is not as expected gives nothing: a log may be of any age, and by anyone.
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
  const told = { findings: whole, overall_explanation: textOf(overall_explanation) };
  return reviewText({ review_output: told as unknown as ReviewOutputEvent });
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
