/** What a tool of an MCP server answers. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  isError?: true;
  structuredContent?: { threadId: string; content: string };
}

/** An answer that says what went wrong. */
export function toolFailure(message: string): ToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

/** An answer with the last words of a turn, and with its thread where that is told. */
export function toolAnswer(message: string, threadId: string | undefined): ToolResult {
  return {
    content: [{ type: "text", text: message }],
    ...(threadId === undefined ? {} : { structuredContent: { threadId, content: message } }),
  };
}
