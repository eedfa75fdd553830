import type * as wire from "../../protocol/rpc/v2/item.js";

/** Colours text, or leaves it as it is. */
export type Paint = (style: string, text: string) => string;

type Safe = (text: string) => string;

/** What is shown when an item begins. */
export function startedLines(item: wire.ThreadItem, paint: Paint, safe: Safe): string[] {
  switch (item.type) {
    case "commandExecution":
      return [paint("magenta", "exec"), `${paint("bold", safe(item.command))} in ${item.cwd}`];
    case "mcpToolCall":
      return [`${paint("bold", "mcp:")} ${safe(`${item.server}/${item.tool}`)} started`];
    default:
      return [];
  }
}

/** What is shown when an item is complete. */
export function completedLines(item: wire.ThreadItem, paint: Paint, safe: Safe): string[] {
  switch (item.type) {
    case "agentMessage":
      return [paint("magenta", "codex"), safe(item.text)];
    case "reasoning":
      return item.summary.length === 0 ? [] : [paint("dim", safe(item.summary.join("\n")))];
    case "commandExecution":
      return commandLines(item, paint, safe);
    case "fileChange":
      return [
        `${paint("bold", "patch:")} ${item.status}`,
        ...item.changes.map(({ path, kind }) => `${kindLetters[kind.type]} ${safe(path)}`),
      ];
    case "mcpToolCall":
      return [
        `${paint("bold", "mcp:")} ${safe(`${item.server}/${item.tool}`)} (${item.status})`,
        ...(item.error == null ? [] : [paint("red", safe(item.error.message))]),
      ];
    case "webSearch":
      return [`${paint("bold", "web search:")} ${safe(item.query)}`];
    case "contextCompaction":
      return [paint("dim", "context compacted")];
    default:
      return [];
  }
}

function commandLines(item: wire.CommandExecutionItem, paint: Paint, safe: Safe): string[] {
  const after = item.durationMs == null ? "" : ` in ${item.durationMs}ms`;
  const output = item.aggregatedOutput ?? "";
  return [
    endOfCommand(item, after, paint),
    ...(output.trim() === "" ? [] : [safe(shorten(output.replace(/\n$/, "")))]),
  ];
}

function endOfCommand(
  { status, exitCode }: wire.CommandExecutionItem,
  after: string,
  paint: Paint,
): string {
  if (status === "completed") return paint("green", ` succeeded${after}:`);
  if (status === "declined") return paint("yellow", ` declined${after}:`);
  return paint("red", ` exited ${exitCode ?? 1}${after}:`);
}

/** Progress is for reading along: of a long output the beginning and the end are shown. */
function shorten(output: string): string {
  const lines = output.split("\n");
  if (lines.length <= 2 * keptLines) return output;
  const left = lines.length - 2 * keptLines;
  const gap = `… ${left} more lines …`;
  return [...lines.slice(0, keptLines), gap, ...lines.slice(-keptLines)].join("\n");
}

const keptLines = 20;
const kindLetters = { add: "A", delete: "D", update: "M" };
