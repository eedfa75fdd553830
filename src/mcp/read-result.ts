import type { CallToolResult, McpContentBlock } from "../protocol/types.js";

/** Reads what a tool answered; throws, in words for the model, when that is no tool result. */
export function readCallResult(result: Record<string, unknown>): CallToolResult {
  const { content, structuredContent, isError, _meta } = result;
  if (content === undefined && structuredContent === undefined) {
    throw new Error("the server's answer is not a tool result: it has no content");
  }
  if (content !== undefined && !isContent(content)) {
    throw new Error(
      "the server's answer is not a tool result: content is not a list of blocks with a type",
    );
  }
  return {
    content: content ?? [],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(typeof isError === "boolean" ? { isError } : {}),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function isContent(content: unknown): content is McpContentBlock[] {
  if (!Array.isArray(content)) return false;
  return content.every(
    (block) => typeof block === "object" && block !== null && typeof block.type === "string",
  );
}

/** Reads one page of a list that a server gives piece by piece; throws when it is none. */
export function readPage(
  result: Record<string, unknown>,
  field: string,
): { entries: unknown[]; nextCursor?: string } {
  const entries = result[field];
  if (!Array.isArray(entries)) throw new Error(`the server's answer has no list of ${field}`);
  const { nextCursor } = result;
  return { entries, ...(typeof nextCursor === "string" ? { nextCursor } : {}) };
}
