import type { FunctionCallOutput, ToolOutputContent } from "./items/content.js";
import type { CallToolResult, McpContentBlock } from "./sqeq/events/mcp.js";

/** What the model is given for an MCP result, and whether the tool succeeded. */
export interface McpOutput {
  output: FunctionCallOutput;
  success: boolean;
}

/**
 * Turns the result of an MCP tool into what the model is given.
 *
 * Structured content goes before the content blocks; an error text goes as it is.
 */
export function toMcpOutput(result: CallToolResult | string): McpOutput {
  if (typeof result === "string") return { output: result, success: false };
  const { structuredContent, content } = result;
  const told = structuredContent ?? content;
  return { output: JSON.stringify(told), success: result.isError !== true };
}

/** Parts for the model where the content has a picture in it; nothing when it is text alone. */
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

/** The text in the parts of a tool's answer, one line each; nothing when there is none. */
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
