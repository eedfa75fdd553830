import { CodexError } from "../../protocol/error.js";
import type { ThreadListParams, ThreadListResponse } from "../../protocol/rpc/v2/thread-list.js";
import type { Connection } from "../connection.js";
import { listPage, toOptions } from "./thread-list.js";

/** Lists the threads of a section in the user's order, whatever the sort direction. */
export async function listBySection(
  params: ThreadListParams,
  connection: Connection,
): Promise<ThreadListResponse> {
  const { server } = connection;
  const { sectionId, cursor, limit, ...filters } = params;
  if (sectionId == null) {
    throw new CodexError("invalid_request", "section-position sorting requires a section filter");
  }
  const { sections } = await server.organization().read();
  const ids = sections.find(({ id }) => id === sectionId)?.threads ?? [];
  const start = cursor === undefined ? 0 : startOf(cursor);
  const options = await toOptions({ ...filters, sectionId, sortKey: "created_at" }, connection);
  const found = await listPage({ ...options, pageSize: Math.max(1, ids.length) }, server);
  const byId = new Map(found.data.map((thread) => [thread.id, thread]));
  const all = ids.flatMap((id) => byId.get(id) ?? []);
  const end = Math.min(start + Math.min(Math.max(1, limit ?? 25), 100), all.length);
  const data = all.slice(start, end);
  const cursorAt = (at: number) => {
    const thread = all[at];
    return thread === undefined ? null : `${at}|${thread.id}`;
  };
  return {
    data,
    readStates: await server.readStates.of(data.map(({ id }) => id)),
    nextCursor: cursorAt(end),
    backwardsCursor: data.length === 0 ? null : cursorAt(start),
  };
}

/** Parses a cursor: the position of the first thread of the page, and its id. */
function startOf(cursor: string): number {
  const at = /^(\d{1,9})\|/.exec(cursor)?.[1];
  if (at !== undefined) return Number(at);
  throw new CodexError("invalid_request", `invalid cursor: ${cursor}`);
}
