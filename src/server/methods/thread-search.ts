import { basename } from "node:path";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  ThreadSearchOccurrencesParams,
  ThreadSearchOccurrencesResponse,
  ThreadSearchParams,
  ThreadSearchResponse,
  ThreadSearchResult,
} from "../../protocol/rpc/v2/thread-search.js";
import { type Cursor, parseCursor, type ThreadSummary, toTimeCursor } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { formatAnchor } from "../history/item-page.js";
import { findOccurrences, findSnippet } from "../history/search.js";
import { listPage, toOptions } from "./thread-list.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers that search the messages of stored threads. */
export const searchHandlers = {
  "thread/search": search,
  "thread/searchOccurrences": searchOccurrences,
} satisfies Partial<V2Handlers>;

async function search(
  { searchTerm, limit = defaultLimit, ...params }: ThreadSearchParams,
  connection: Connection,
  { signal }: RpcRequest,
): Promise<ThreadSearchResponse> {
  assertTerm(searchTerm, "thread/search");
  const { server } = connection;
  const wanted = Math.min(Math.max(1, limit), maxLimit);
  const options = await toOptions({ ...params, limit: pageSize, modelProviders: [] }, connection);
  const hits: { result: ThreadSearchResult; summary: ThreadSummary }[] = [];
  let cursor = isTimeAlone(params) ? toEnd(options.cursor) : options.cursor;
  // One hit more than wanted tells whether there is another page.
  while (hits.length <= wanted && !signal.aborted) {
    const at = cursor === undefined ? {} : { cursor };
    const { data, page } = await listPage({ ...options, ...at }, server);
    for (const [index, summary] of page.items.entries()) {
      const thread = data[index];
      const snippet =
        hits.length > wanted ? undefined : await findSnippet(summary.path, searchTerm);
      if (thread !== undefined && snippet !== undefined) {
        hits.push({ result: { thread, snippet }, summary });
      }
    }
    cursor = page.nextCursor === undefined ? undefined : parseCursor(page.nextCursor);
    if (cursor === undefined) break;
  }
  const shown = hits.slice(0, wanted);
  const cursorOf = (hit: (typeof hits)[number] | undefined) =>
    hit === undefined ? null : toCursor(hit.summary, params.sortKey ?? "created_at");
  return {
    data: shown.map(({ result }) => result),
    nextCursor: hits.length > wanted ? cursorOf(shown.at(-1)) : null,
    backwardsCursor: cursorOf(shown[0]),
  };
}

/** Returns true for a cursor without an id that the list, oldest first, continues after. */
function isTimeAlone({ cursor, sortDirection }: Omit<ThreadSearchParams, "searchTerm">): boolean {
  return sortDirection === "asc" && cursor !== undefined && !cursor.includes("|");
}

/** Returns the cursor after all threads of the same moment, instead of before them. */
function toEnd(cursor: Cursor | undefined): Cursor | undefined {
  return cursor && { ...cursor, id: `${cursor.id.slice(0, 19)}ffff-ffffffffffff` };
}

const pageSize = 50;
const defaultLimit = 25;
const maxLimit = 100;

/** Returns the position of a thread in a list, as a time if the order is that of creation. */
function toCursor({ id, path, updatedAtMs }: ThreadSummary, sortKey: string): string {
  if (sortKey !== "created_at") return `${new Date(updatedAtMs).toISOString()}|${id}`;
  const time = basename(path).slice("rollout-".length, "rollout-2025-01-31T12-00-00".length);
  return toTimeCursor({ time, id }) ?? `${time}|${id}`;
}

async function searchOccurrences(
  { threadId, searchTerm, cursor, limit = defaultLimit }: ThreadSearchOccurrencesParams,
  { server }: Connection,
): Promise<ThreadSearchOccurrencesResponse> {
  assertTerm(searchTerm, "thread/searchOccurrences");
  assertThreadId(threadId);
  const path = await findAnyFile(server, threadId.toLowerCase());
  if (path === undefined) throw notSupported("thread/searchOccurrences");
  const start = cursor === undefined ? 0 : startOf(cursor, { threadId, searchTerm });
  const all = await findOccurrences(path, searchTerm);
  const end = start + Math.min(Math.max(1, limit), maxOccurrences);
  return {
    data: all.slice(start, end).map(({ turnId, itemId, snippet, range }) => ({
      turnId,
      itemId,
      snippet,
      snippetMatchRange: range,
      turnCursor: formatAnchor({ turnId, includes: true }),
    })),
    nextCursor: end < all.length ? JSON.stringify({ threadId, searchTerm, next: end }) : null,
  };
}

const maxOccurrences = 1000;

/** Parses the cursor of a page; it must be of the same thread and term. */
function startOf(cursor: string, expected: { threadId: string; searchTerm: string }): number {
  const value = tryParse(cursor);
  const isOurs =
    isRecord(value) &&
    value.threadId === expected.threadId &&
    value.searchTerm === expected.searchTerm &&
    Number.isSafeInteger(value.next) &&
    Number(value.next) >= 0;
  if (isOurs) return Number(value.next);
  throw new CodexError("invalid_request", `invalid cursor: ${cursor}`);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertTerm(searchTerm: string, method: string): void {
  if (searchTerm.trim() !== "") return;
  throw new CodexError("invalid_request", `${method} requires a non-empty searchTerm`);
}

/** Error for a thread without a file, as clients of the reference know it. */
export function notSupported(method: string): RpcError {
  return new RpcError(rpcCodes.methodNotFound, `${method} is not supported yet`);
}
