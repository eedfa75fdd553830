import { resolve } from "node:path";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type { Thread } from "../../protocol/rpc/v2/thread.js";
import type {
  ThreadListParams,
  ThreadListResponse,
  ThreadSourceKind,
} from "../../protocol/rpc/v2/thread-list.js";
import {
  type ListOptions,
  listThreads,
  parseCursor,
  type ThreadFacts,
  type ThreadPage,
  type ThreadSummary,
  toTimeCursor,
} from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import type { Server } from "../server.js";
import { pageOf } from "./page.js";
import { describe, readPlaces } from "./thread-view.js";

/** Handlers that list stored and loaded threads. */
export const listHandlers = {
  "thread/list": list,
  "thread/loaded/list": (page, { server }) => pageOf(server.threads.ids, page, "threads"),
} satisfies Partial<V2Handlers>;

async function list(params: ThreadListParams, connection: Connection): Promise<ThreadListResponse> {
  const { server } = connection;
  if (params.sortKey === "section_position") {
    const { listBySection } = await import("./thread-section-list.js");
    return listBySection(params, connection);
  }
  const options = await toOptions(params, connection);
  const { data, page } = await listPage(options, server);
  return {
    data,
    readStates: await server.readStates.of(page.items.map(({ id }) => id)),
    ...cursorsOf(page, params, server.parts.era.since["0.166"]),
  };
}

/** Lists threads and describes them. */
export async function listPage(
  options: ListOptions,
  server: Server,
): Promise<{ data: Thread[]; page: ThreadPage }> {
  const { fleet } = server;
  if (fleet !== undefined) return describeAll(await fleet.list(options), server);
  const live = new Set(server.threads.ids);
  const page = await listThreads(server.home, { ...options, live }, server.threadIndex());
  return { data: await describeStored(page.items, server), page };
}

/** Describes stored threads as a list does. */
export async function describeStored(
  summaries: readonly ThreadSummary[],
  server: Server,
): Promise<Thread[]> {
  const placeOf = await readPlaces(server);
  return summaries.map(({ id, path, updatedAtMs, name, ...facts }) => {
    const stored = { path, updatedAtMs, name, facts: { id, ...facts }, organized: placeOf(id) };
    return describe({ id, live: server.threads.find(id), stored }, server, { isListed: true });
  });
}

/** Describes threads that run elsewhere. */
function describeAll(page: ThreadPage, server: Server): { data: Thread[]; page: ThreadPage } {
  const data = page.items.map(({ id, path, updatedAtMs, name, status, ...facts }) => {
    const stored = { path, updatedAtMs, name, facts: { id, ...facts } };
    const options = { isListed: true, ...(status === undefined ? {} : { status }) };
    return describe({ id, live: undefined, stored }, server, options);
  });
  return { data, page };
}

/** Cursors of a page of threads. */
export type Cursors = Pick<ThreadListResponse, "nextCursor" | "backwardsCursor">;

/**
 * Returns the cursors of a page.
 *
 * If the era has time cursors, lists of the newest threads by creation have a time as cursor.
 */
export function cursorsOf(
  page: ThreadPage,
  { sortKey = "created_at", sortDirection = "desc" }: SortParams,
  hasTimeCursors: boolean,
): Cursors {
  const [first] = page.items;
  const nextCursor = page.nextCursor ?? null;
  const backwardsCursor = page.backwardsCursor ?? null;
  const [next, back] = [nextCursor, backwardsCursor].map((token) => parseCursor(token ?? ""));
  if (!hasTimeCursors || sortKey !== "created_at" || sortDirection !== "desc") {
    return { nextCursor, backwardsCursor };
  }
  // Backwards, a page starts with the named thread; forwards, after it.
  const again = back && first && toTimeCursor({ time: back.time, id: first.id });
  return {
    nextCursor: (next && toTimeCursor(next)) ?? nextCursor,
    backwardsCursor: again ?? backwardsCursor,
  };
}

type SortParams = Pick<ThreadListParams, "sortKey" | "sortDirection">;

/** Converts params to the filters and the order of a list. */
export async function toOptions(
  params: ThreadListParams,
  { server }: Connection,
): Promise<ListOptions> {
  const { cursor: token, limit, sortKey = "created_at", modelProviders } = params;
  const cursor = token === undefined ? undefined : parseCursor(token);
  if (token !== undefined && cursor === undefined) {
    throw new CodexError("invalid_request", `invalid cursor: ${token}`);
  }
  if (params.originators !== undefined && params.originators.length > 0) {
    const message = "originator filtering is not supported by the local app-server";
    throw new RpcError(rpcCodes.invalidParams, message);
  }
  const provider = (await server.config()).provider.id;
  const isBelow = await descentFilter(params, server);
  const shown = (params.sourceKinds ?? []).length === 0 ? "none" : "with a message";
  return {
    pageSize: Math.min(limit === undefined || limit === 0 ? defaultLimit : limit, maxLimit),
    archived: params.archived ?? false,
    sortKey: sortKey === "created_at" ? "created_at" : "updated_at",
    direction: params.sortDirection ?? "desc",
    defaultProvider: provider,
    // By default only threads of the current provider, which can be resumed with the current
    // settings. The workers of a fleet have their own.
    providers: modelProviders ?? (server.fleet === undefined ? [provider] : []),
    agents: isBelow === undefined ? shown : "all",
    accepts: filterOf(params, server.parts.cwd, await placeFilter(params, server), isBelow),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

const defaultLimit = 25;
const maxLimit = 100;

/** Returns a filter by section and project; `undefined` if the list is not limited to one. */
async function placeFilter(
  { sectionId, projectId }: ThreadListParams,
  server: Server,
): Promise<((id: string) => boolean) | undefined> {
  if (sectionId === undefined && projectId === undefined) return undefined;
  const placeOf = await readPlaces(server);
  return (id) => {
    const place = placeOf(id);
    const isInSection = sectionId === undefined || (place?.section?.id ?? null) === sectionId;
    return isInSection && (projectId === undefined || (place?.projectId ?? null) === projectId);
  };
}

/** Returns a filter by the thread that started another; `undefined` if the list is not limited to one. */
async function descentFilter(
  params: ThreadListParams,
  server: Server,
): Promise<((facts: ThreadFacts) => boolean) | undefined> {
  const { parentThreadId, ancestorThreadId, attachedToThreadId } = params;
  if ((parentThreadId ?? ancestorThreadId ?? attachedToThreadId) === undefined) return undefined;
  const { descentOf } = await import("./thread-descent.js");
  return descentOf(params, async (options) => {
    const { items } = (await listPage(options, server)).page;
    return items;
  });
}

function filterOf(
  params: ThreadListParams,
  cwd: string,
  isPlaced: ((id: string) => boolean) | undefined,
  isBelow: ((facts: ThreadFacts) => boolean) | undefined,
): (facts: ThreadFacts, name: string | undefined) => boolean {
  const { sourceKinds = [], excludedThreadIds = [], searchTerm } = params;
  for (const id of excludedThreadIds) assertThreadId(id);
  const usual = isBelow === undefined ? interactive : undefined;
  const kinds = sourceKinds.length === 0 ? usual : sourceKinds;
  const excluded = new Set(excludedThreadIds.map((id) => id.toLowerCase()));
  const folders = [params.cwd ?? []].flat().map((folder) => resolve(cwd, folder));
  const term = searchTerm?.toLowerCase();
  return (facts, name) => {
    if (excluded.has(facts.id) || isBelow?.(facts) === false) return false;
    if (kinds?.some((kind) => isOfKind(facts.source, kind)) === false) return false;
    if (folders.length > 0 && !folders.includes(facts.cwd)) return false;
    if (isPlaced?.(facts.id) === false) return false;
    if (term === undefined) return true;
    return [name ?? "", facts.preview].some((text) => text.toLowerCase().includes(term));
  };
}

const interactive = ["cli", "vscode"] as const;

/** Returns true if the recorded source of a thread is of a kind. */
function isOfKind(source: unknown, kind: ThreadSourceKind): boolean {
  switch (kind) {
    case "cli":
    case "vscode":
    case "exec":
      return source === kind;
    case "appServer":
      return source === "mcp" || source === "appServer";
    case "unknown":
      return source === "unknown" || source === undefined;
    case "subAgent":
      return subAgentOf(source) !== undefined;
    case "subAgentReview":
      return subAgentOf(source) === "review";
    case "subAgentCompact":
      return subAgentOf(source) === "compact";
    case "subAgentThreadSpawn":
      return isSubAgentWith(source, "thread_spawn");
    case "subAgentOther":
      return isSubAgentWith(source, "other");
  }
}

function subAgentOf(source: unknown): unknown {
  return isRecord(source) ? source.subagent : undefined;
}

function isSubAgentWith(source: unknown, name: string): boolean {
  const agent = subAgentOf(source);
  return isRecord(agent) && name in agent;
}
