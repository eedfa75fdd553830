import type { FunctionCallOutput, ToolOutputContent } from "./items/content.js";
import type { CallToolResult, McpContentBlock } from "./sqeq/events/mcp.js";

/** An MCP result as sent to the model. */
export interface McpOutput {
  output: FunctionCallOutput;
  success: boolean;
}

/**
 * Converts an MCP result for the model.
 *
 * Structured content takes precedence over content blocks; an error text is passed unchanged.
 */
export function toMcpOutput(result: CallToolResult | string): McpOutput {
  if (typeof result === "string") return { output: result, success: false };
  const { structuredContent, content } = result;
  const payload = structuredContent ?? content;
  return { output: JSON.stringify(payload), success: result.isError !== true };
}

/** Returns content parts if there is an image among them; `undefined` for text only. */
export function toOutputParts(
  content: readonly McpContentBlock[],
): ToolOutputContent[] | undefined {
  if (!content.some((block) => block.type === "image")) return undefined;
  return content.map((block) => {
    if (block.type === "text") return { type: "input_text", text: String(block.text ?? "") };
    if (block.type === "image") return { type: "input_image", image_url: toImageUrl(block) };
    return { type: "input_text", text: JSON.stringify(block) };
  });
}

/** Joins the text parts of a tool output with line breaks; `undefined` if there is none. */
export function outputText(parts: readonly ToolOutputContent[]): string | undefined {
  const texts = parts.flatMap((part) =>
    part.type === "input_text" && part.text.trim() !== "" ? [part.text] : [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}

function toImageUrl(block: McpContentBlock): string {
  const data = String(block.data ?? "");
  if (data.startsWith("data:")) return data;
  const mime = typeof block.mimeType === "string" ? block.mimeType : "application/octet-stream";
  return `data:${mime};base64,${data}`;
}
