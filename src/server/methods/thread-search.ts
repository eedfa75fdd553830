import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  ThreadSearchOccurrencesParams,
  ThreadSearchOccurrencesResponse,
  ThreadSearchParams,
  ThreadSearchResponse,
} from "../../protocol/rpc/v2/thread-search.js";
import {
  type Cursor,
  formatCursor,
  type ThreadSummary,
  toTimeCursor,
  type WalkedThread,
  walkThreads,
} from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { formatAnchor } from "../history/item-page.js";
import { findOccurrences, SearchTerm } from "../history/search.js";
import { describeStored, toOptions } from "./thread-list.js";
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
  const { cursor, ...options } = await toOptions({ ...params, modelProviders: [] }, connection);
  const start = isTimeAlone(params) ? toEnd(cursor) : cursor;
  const walked = walkThreads(
    server.home,
    { ...options, ...(start && { cursor: start }), live: new Set(server.threads.ids) },
    server.threadIndex(),
  );
  const term = new SearchTerm(searchTerm);
  const hits: Hit[] = [];
  /** Position that the next page continues after. */
  let next: Cursor | undefined;
  const end = performance.now() + longestMs;
  for await (const { position, summary } of walked) {
    if (signal.aborted) break;
    const snippet = summary && (await term.findSnippet(summary.path));
    // One hit more than wanted shows that there is another page.
    if (snippet !== undefined && hits.length === wanted) {
      next = hits.at(-1)?.position;
      break;
    }
    if (summary && snippet !== undefined) hits.push({ position, summary, snippet });
    if (performance.now() > end) {
      next = position;
      break;
    }
  }
  const data = await describeStored(
    hits.map(({ summary }) => summary),
    server,
  );
  const toToken = (at: Cursor | undefined) => (at === undefined ? null : toCursor(at, params));
  return {
    data: data.map((thread, index) => ({ thread, snippet: hits[index]?.snippet ?? "" })),
    nextCursor: toToken(next),
    backwardsCursor: toToken(hits[0]?.position),
  };
}

/** A thread that contains the term. */
interface Hit extends WalkedThread {
  summary: ThreadSummary;
  snippet: string;
}

/** A home may have 100,000 files: a page ends after this time, and its cursor continues the search. */
const longestMs = 1000;

/** Returns true for a cursor without an id that the list, oldest first, continues after. */
function isTimeAlone({ cursor, sortDirection }: Omit<ThreadSearchParams, "searchTerm">): boolean {
  return sortDirection === "asc" && cursor !== undefined && !cursor.includes("|");
}

/** Returns the cursor after all threads of the same moment, instead of before them. */
function toEnd(cursor: Cursor | undefined): Cursor | undefined {
  return cursor && { ...cursor, id: `${cursor.id.slice(0, 19)}ffff-ffffffffffff` };
}

const defaultLimit = 25;
const maxLimit = 100;

/** Returns the cursor of a position, as a time if the order is that of creation. */
function toCursor(at: Cursor, { sortKey = "created_at" }: { sortKey?: string }): string {
  if (sortKey === "created_at") return toTimeCursor(at) ?? formatCursor(at);
  const time = at.time.replace(/T(\d\d)-(\d\d)-(\d\d)$/, "T$1:$2:$3Z");
  return `${time}|${at.id}`;
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
