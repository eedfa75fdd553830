import { isRecord } from "../protocol/read/check.js";
import type { CallToolResult, McpContentBlock, McpTool } from "../protocol/types.js";
import { type Connection, isMethodUnknown } from "./connection.js";

/** Validates the result of a tool call; throws an error with a message for the model. */
export function readCallResult(result: Record<string, unknown>): CallToolResult {
  const { content, structuredContent, isError, _meta } = result;
  if (content === undefined && structuredContent === undefined) {
    throw new Error("invalid tool result: `content` is missing");
  }
  if (content !== undefined && !isContent(content)) {
    throw new Error("invalid tool result: `content` must be a list of blocks with a `type`");
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

/** Reads one page of a list; throws if the result is not one. */
export function readPage(
  result: Record<string, unknown>,
  field: string,
): { entries: unknown[]; nextCursor?: string } {
  const entries = result[field];
  if (!Array.isArray(entries)) throw new Error(`the server's result has no list \`${field}\``);
  const { nextCursor } = result;
  return { entries, ...(typeof nextCursor === "string" ? { nextCursor } : {}) };
}

/** Valid tools of a list, and problems with the others. */
interface ReadTools {
  tools: McpTool[];
  problems: string[];
}

/** Limits that protect the model's context from absurd tool lists. */
const maxTools = 1_000;
const maxToolBytes = 128 * 1024;
const maxListBytes = 4 * 1024 * 1024;

/** Returns true once a list is long enough to stop paging. */
function isListFull(tools: readonly unknown[]): boolean {
  return tools.length >= maxTools;
}

/**
 * Reads the tools of a server, retaining only fields of the protocol.
 *
 * An invalid tool is skipped; the others remain usable.
 */
function readTools(entries: readonly unknown[]): ReadTools {
  const tools: McpTool[] = [];
  const problems: string[] = [];
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const { tool, problem } = readTool(entry);
    const size = tool === undefined ? 0 : JSON.stringify(tool).length;
    if (tool === undefined) problems.push(`tool ${index} was skipped: ${problem}`);
    else if (size > maxToolBytes) problems.push(`tool ${index} was skipped: it is too large`);
    else if (tools.length >= maxTools || bytes + size > maxListBytes) {
      problems.push(`${entries.length - index} tools were skipped: the list is too long`);
      break;
    } else {
      bytes += size;
      tools.push(tool);
    }
  }
  return { tools, problems };
}

function readTool(
  entry: unknown,
): { tool: McpTool; problem?: undefined } | { tool?: undefined; problem: string } {
  if (!isRecord(entry)) return { problem: "it is not an object" };
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  if (typeof name !== "string" || name === "") return { problem: "it has no name" };
  if (!isRecord(inputSchema)) return { problem: "its inputSchema is not an object" };
  return {
    tool: {
      name,
      ...(typeof title === "string" ? { title } : {}),
      ...(typeof description === "string" ? { description } : {}),
      inputSchema,
      ...(isRecord(outputSchema) ? { outputSchema } : {}),
      ...(isRecord(annotations) ? { annotations } : {}),
    },
  };
}

/** Lists all tools of a server; empty if the server does not implement `tools/list`. */
export async function listTools(connection: Connection, signal: AbortSignal): Promise<ReadTools> {
  const sendRequest = (params: Record<string, unknown>) =>
    connection.request("tools/list", params, { signal });
  try {
    return readTools(await collectPages(sendRequest, "tools"));
  } catch (error) {
    if (isMethodUnknown(error)) return { tools: [], problems: [] };
    throw error;
  }
}

/** Collects the entries of all pages; stops at a repeated cursor or too many pages. */
export async function collectPages(
  sendRequest: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
  field: string,
): Promise<unknown[]> {
  const collected: unknown[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = readPage(await sendRequest(cursor === undefined ? {} : { cursor }), field);
    for (const entry of page.entries) collected.push(entry);
    cursor = page.nextCursor;
    if (cursor === undefined || seen.has(cursor) || seen.size >= maxPages) return collected;
    if (isListFull(collected)) return collected;
    seen.add(cursor);
  }
}

const maxPages = 100;
