import type { McpBehavior } from "../compat/index.js";
import { outputText, toMcpOutput, toOutputParts } from "../protocol/mcp-output.js";
import type { CallToolResult, McpContentBlock, ToolOutputContent } from "../protocol/types.js";

/** Output of a tool call for the model. */
export interface McpModelOutput {
  text: string;
  /** Replaces `text` if the model gets content parts. */
  parts?: ToolOutputContent[];
  success: boolean;
}

/** Converts the result of a tool call, or an error message, to output for the model. */
export function toModelOutput(
  result: CallToolResult | string,
  form: McpBehavior["resultForm"],
  durationMs: number,
): McpModelOutput {
  const { output, success } = toMcpOutput(inOrder(result, form === "sorted text"));
  const header = form === "timed parts" ? wallTime(durationMs) : undefined;
  const parts = partsOf(result, form);
  if (parts === undefined) {
    const text = typeof output === "string" ? output : (outputText(output) ?? "");
    return { text: header === undefined ? text : `${header}\n${text}`, success };
  }
  if (header !== undefined) parts.unshift({ type: "input_text", text: header });
  return { text: outputText(parts) ?? "", parts, success };
}

function wallTime(ms: number): string {
  return `Wall time: ${(ms / 1000).toFixed(4)} seconds\nOutput:`;
}

/** Parts are used only without structured content, which is complete by definition. */
function partsOf(
  result: CallToolResult | string,
  form: McpBehavior["resultForm"],
): ToolOutputContent[] | undefined {
  if (form === "sorted text") return undefined;
  if (typeof result === "string") {
    return form === "timed parts" ? [{ type: "input_text", text: result }] : undefined;
  }
  if (result.structuredContent !== undefined && result.structuredContent !== null) return undefined;
  const parts = toOutputParts(result.content);
  return parts ?? (form === "timed parts" ? result.content.map(toTextPart) : undefined);
}

function toTextPart(block: McpContentBlock): ToolOutputContent {
  const isText = block.type === "text" && typeof block.text === "string";
  return { type: "input_text", text: isText ? String(block.text) : JSON.stringify(block) };
}

function inOrder(result: CallToolResult | string, sorted: boolean): CallToolResult | string {
  if (typeof result === "string" || !sorted) return result;
  return { ...result, content: result.content.map(sortFields) };
}

function sortFields(block: McpContentBlock): McpContentBlock {
  const fields = Object.entries(block).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(fields) as McpContentBlock;
}
