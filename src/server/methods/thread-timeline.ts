import { CodexError } from "../../protocol/error.js";
import type {
  ThreadItemsReadParams,
  ThreadItemsReadResponse,
  ThreadTimelineEntry,
  ThreadTimelineListParams,
  ThreadTimelineListResponse,
} from "../../protocol/rpc/v2/thread-timeline.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { historyOf, readAllTurns } from "../history/history.js";
import { notSupported } from "./thread-search.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers that read items by id, and the starts, items and ends of turns. */
export const timelineHandlers = {
  "thread/items/read": readItems,
  "thread/timeline/list": listTimeline,
} satisfies Partial<V2Handlers>;

async function readItems(
  { threadId, turnId, itemIds }: ThreadItemsReadParams,
  connection: Connection,
): Promise<ThreadItemsReadResponse> {
  if (itemIds.length < 1 || itemIds.length > 100) {
    throw new CodexError("invalid_request", "itemIds must contain 1 to 100 IDs");
  }
  const turns = await readTurns(threadId, connection, "thread/items/read");
  const items = turns.find(({ id }) => id === turnId)?.items ?? [];
  return {
    data: items
      .filter(({ id }) => itemIds.includes(id))
      .map((item) => {
        const { startedAtMs = null, completedAtMs = null } = item;
        return { turnId, item, startedAtMs, completedAtMs };
      }),
  };
}

async function listTimeline(
  { threadId, cursor, limit = defaultLimit }: ThreadTimelineListParams,
  connection: Connection,
): Promise<ThreadTimelineListResponse> {
  const turns = await readTurns(threadId, connection, "thread/timeline/list");
  const all = turns.flatMap(toEntries).map((entry, position) => ({ ...entry, position }));
  const end = cursor === undefined ? all.length : endOf(cursor, all.length);
  const start = Math.max(0, end - Math.min(Math.max(1, limit), maxLimit));
  return {
    data: all.slice(start, end),
    nextCursor: start > 0 ? String(start) : null,
    activeRealtimeSessionAtPageStart: null,
  };
}

const defaultLimit = 100;
const maxLimit = 1000;

/** Parses a cursor: the number of entries before the page that follows. */
function endOf(cursor: string, total: number): number {
  if (/^\d{1,9}$/.test(cursor) && Number(cursor) <= total) return Number(cursor);
  throw new CodexError("invalid_request", "invalid thread timeline cursor");
}

function toEntries({
  id: turnId,
  items,
  status,
  error,
  startedAt,
  completedAt,
  durationMs,
}: Turn): ThreadTimelineEntry[] {
  const position = 0;
  const entries: ThreadTimelineEntry[] = [
    { type: "turnStarted", position, turnId, startedAt },
    ...items.map((item) => ({ type: "item" as const, position, turnId, item })),
  ];
  if (status === "inProgress") return entries;
  const end = { status, error, startedAt, completedAt, durationMs };
  return [...entries, { type: "turnCompleted", position, turnId, ...end }];
}

async function readTurns(
  threadId: string,
  { server }: Connection,
  method: string,
): Promise<Turn[]> {
  assertThreadId(threadId);
  const live = server.threads.find(threadId);
  const path = await findAnyFile(server, threadId.toLowerCase());
  const source = (live && historyOf(live)) ?? (path && { path, runningId: undefined });
  if (!source || path === undefined) throw notSupported(method);
  return readAllTurns(source);
}
