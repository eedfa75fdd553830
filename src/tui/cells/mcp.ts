import type { McpCell } from "../state/cell.js";
import { hang, prefixed, truncate, wrap } from "../text/layout.js";
import { durationText } from "../text/numbers.js";
import { oneLine, reveal, sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import { foldLines, statusMark } from "./small.js";

/** Renders an MCP tool call with the start of its result. */
export function mcpLines({ item, progress, startedAt }: McpCell, view: View): string[] {
  const { theme, width, now } = view;
  const verb = item.status === "inProgress" ? "Calling" : "Called";
  const clock =
    item.status === "inProgress" ? theme.dim(` (${durationText(now - startedAt)})`) : "";
  const call = `${theme.name(oneLine(`${item.server}.${item.tool}`))}${argumentsText(item.arguments)}`;
  const head = `${theme.bold(verb)} ${call}${clock}`;
  const shown = view.isFull ? head : truncate(head, Math.max(1, width * 3));
  const lines = answerLines(item.error?.message ?? textOf(item.result) ?? progress ?? "", view);
  return [
    ...hang(shown, width, statusMark(item.error ? "failed" : item.status, theme), "  "),
    ...prefixed(lines.map(item.error ? theme.failure : theme.dim), theme.dim("  └ "), "    "),
  ];
}

function answerLines(text: string, { width, isFull }: View): string[] {
  if (text.trim() === "") return [];
  const lines = sanitize(text).trimEnd().split("\n");
  const room = Math.max(1, width - 4);
  if (isFull) return lines.flatMap((line) => wrap(line, room));
  return foldLines(lines, 5).map((line) => truncate(line, room));
}

function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return "()";
  return reveal(`(${JSON.stringify(value)})`);
}

/** Returns the text of a result; other content, such as images, is named by its type. */
function textOf(result: McpCell["item"]["result"]): string | undefined {
  if (!result) return undefined;
  const parts = (result.content ?? []).map((part) => {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
    return typeof text === "string" ? text : `<${String(type ?? "content")}>`;
  });
  return parts.join("\n");
}
