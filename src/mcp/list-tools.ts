import { type Connection, isMethodUnknown } from "./connection.js";
import { readPage } from "./read-result.js";
import { isListFull, type ReadTools, readTools } from "./read-tools.js";

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
