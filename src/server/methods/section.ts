import { CodexError } from "../../protocol/error.js";
import type {
  ThreadSection,
  ThreadSectionAppearance,
  ThreadSectionCreateParams,
  ThreadSectionDeleteParams,
  ThreadSectionListParams,
  ThreadSectionListResponse,
  ThreadSectionMoveParams,
  ThreadSectionResponse,
  ThreadSectionUpdateParams,
} from "../../protocol/rpc/v2/section.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import {
  invalidParams,
  nameOf,
  type Organization,
  pinnedId,
  type StoredSection,
  sectionOf,
  threadEntry,
} from "../organization/organization.js";
import { pageAfter } from "./page.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers of sections: groups of threads in the user's order. */
export const sectionHandlers = {
  "threadSection/list": list,
  "threadSection/create": create,
  "threadSection/update": update,
  "threadSection/delete": remove,
  "thread/section/move": move,
} satisfies Partial<V2Handlers>;

async function list(
  { cursor, limit }: ThreadSectionListParams,
  { server }: Connection,
): Promise<ThreadSectionListResponse> {
  const { sections } = await server.organization().read();
  const all = sections.map(toSection);
  const at = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at < 0) return { data: [], nextCursor: null };
  return pageAfter(all, at, limit, ({ id }) => id);
}

async function create(
  { name: given, appearance }: ThreadSectionCreateParams,
  { server }: Connection,
): Promise<ThreadSectionResponse> {
  const name = nameOf(given, "section");
  const id = server.parts.newId();
  const section = { id, name, appearance: toAppearance(appearance), threads: [] };
  await server.organization().change(({ sections }) => sections.push(section));
  return { section: toSection(section) };
}

async function update(
  { sectionId, name: given, appearance }: ThreadSectionUpdateParams,
  { server }: Connection,
): Promise<ThreadSectionResponse> {
  const name = nameOf(given, "section");
  const section = await server.organization().change((state) => {
    const found = find(sectionId, state, "renamed");
    found.name = name;
    if (appearance !== undefined) found.appearance = toAppearance(appearance);
    return toSection(found);
  });
  return { section };
}

async function remove(
  { sectionId }: ThreadSectionDeleteParams,
  { server }: Connection,
): Promise<Record<string, never>> {
  await server.organization().change((state) => {
    const found = find(sectionId, state, "deleted");
    for (const thread of found.threads) delete state.threads[thread]?.sectionEnteredAt;
    state.sections = state.sections.filter((section) => section !== found);
  });
  return {};
}

async function move(
  { threadId, sectionId, beforeThreadId }: ThreadSectionMoveParams,
  { server }: Connection,
): Promise<Record<string, never>> {
  assertThreadId(threadId);
  const id = threadId.toLowerCase();
  if (server.threads.find(id)?.isEphemeral) {
    throw refused(`ephemeral thread does not support section moves: ${threadId}`);
  }
  if ((await findAnyFile(server, id)) === undefined && server.threads.find(id) === undefined) {
    throw refused(`thread not found: ${threadId}`);
  }
  const before = beforeThreadId?.toLowerCase();
  if (before !== undefined && sectionId === null) {
    throw refused("beforeThreadId requires a non-null sectionId");
  }
  if (before === id) throw refused(`thread ${threadId} cannot be moved before itself`);
  const now = Math.floor(server.parts.clock.now() / 1000);
  await server.organization().change((state) => place(state, { id, sectionId, before, now }));
  return {};
}

interface Placement {
  id: string;
  sectionId: string | null;
  before: string | undefined;
  /** In Unix seconds. */
  now: number;
}

function place(state: Organization, { id, sectionId, before, now }: Placement): void {
  const target = state.sections.find((section) => section.id === sectionId);
  if (sectionId !== null && target === undefined) {
    throw refused(`section ${sectionId} does not exist`);
  }
  if (before !== undefined && !target?.threads.includes(before)) {
    throw refused(`before thread ${before} is not in section ${sectionId}`);
  }
  const source = sectionOf(state, id);
  if (source !== undefined) source.threads = source.threads.filter((thread) => thread !== id);
  const entry = threadEntry(state, id);
  if (target === undefined) {
    delete entry.sectionEnteredAt;
    return;
  }
  const at = before === undefined ? target.threads.length : target.threads.indexOf(before);
  target.threads.splice(at, 0, id);
  if (source !== target) entry.sectionEnteredAt = now;
}

function find(id: string, { sections }: Organization, change: string): StoredSection {
  if (id === pinnedId) throw invalidParams(`the built-in pinned section cannot be ${change}`);
  const found = sections.find((section) => section.id === id);
  if (found === undefined) throw invalidParams(`thread section not found: ${id}`);
  return found;
}

/** Returns a section as clients see it. */
export function toSection({ id, name, appearance }: StoredSection): ThreadSection {
  return { id, name, appearance };
}

function toAppearance(
  appearance: ThreadSectionAppearance | null | undefined,
): ThreadSectionAppearance | null {
  if (appearance == null) return null;
  return { icon: appearance.icon ?? null, color: appearance.color ?? null };
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
