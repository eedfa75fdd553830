import { isRecord } from "../protocol/read/record.js";
import type { CallToolResult, McpContentBlock, McpTool } from "../protocol/types.js";
import { type Connection, isMethodUnknown } from "./connection.js";

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

/** The tools of a page of a list, and what had to be left out. */
interface ReadTools {
  tools: McpTool[];
  problems: string[];
}

/** More is no list of tools but an attack on the model's attention. */
const maxTools = 1_000;
const maxToolBytes = 128 * 1024;
const maxListBytes = 4 * 1024 * 1024;

/** Whether a list has become so long that no more of it is asked for. */
function isListFull(tools: readonly unknown[]): boolean {
  return tools.length >= maxTools;
}

/**
 * Reads the tools that a server says it has.
 *
 * One that is not as it should be costs itself only. Of what a tool says, what the protocol knows is
 * kept.
 */
function readTools(entries: readonly unknown[]): ReadTools {
  const tools: McpTool[] = [];
  const problems: string[] = [];
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const { tool, problem } = readTool(entry);
    const size = tool === undefined ? 0 : JSON.stringify(tool).length;
    if (tool === undefined) problems.push(`tool ${index} was left out: ${problem}`);
    else if (size > maxToolBytes) problems.push(`tool ${index} was left out: it is too large`);
    else if (tools.length >= maxTools || bytes + size > maxListBytes) {
      problems.push(`${entries.length - index} tools were left out: there are too many`);
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

/** Asks a server for its tools, page by page; one that knows nothing of tools has none. */
export async function listTools(connection: Connection, signal: AbortSignal): Promise<ReadTools> {
  const ask = (params: Record<string, unknown>) =>
    connection.request("tools/list", params, { signal });
  try {
    return readTools(await collectPages(ask, "tools"));
  } catch (error) {
    if (isMethodUnknown(error)) return { tools: [], problems: [] };
    throw error;
  }
}

/** Collects all entries of a list that comes in pages; a server that never ends it is stopped. */
export async function collectPages(
  ask: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
  field: string,
): Promise<unknown[]> {
  const collected: unknown[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = readPage(await ask(cursor === undefined ? {} : { cursor }), field);
    for (const entry of page.entries) collected.push(entry);
    cursor = page.nextCursor;
    if (cursor === undefined || seen.has(cursor) || seen.size >= maxPages) return collected;
    if (isListFull(collected)) return collected;
    seen.add(cursor);
  }
}

const maxPages = 100;
