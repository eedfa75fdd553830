import { basename, dirname } from "node:path";
import type { SessionMetaLine } from "../protocol/types.js";
import { isUuid } from "./file-name.js";
import { filesOf, findRollout, type StoredFile, walkStoredFiles } from "./files.js";
import { readHead } from "./head.js";
import { type RolloutVisitor, readRollout, Warnings } from "./read.js";

/** Where a conversation begins whose own file holds only what came later. */
interface HistoryBase {
  thread_id: string;
  /** The number of its first line that does not belong to the beginning, and the byte it begins at. */
  end_ordinal_exclusive: number;
  end_byte_offset: number;
}

/** The beginning of a conversation in the file of another. */
export interface BaseFile {
  path: string;
  /** The byte before which everything belongs to it. */
  end: number;
}

/** What is known of the files that a conversation goes on from. */
interface Bases {
  /** The oldest first. */
  files: BaseFile[];
  /** A conversation whose file would be needed too and is not there. */
  missing: string | undefined;
}

/** What a meta says of a beginning in another file: copies that the reference makes since 0.155. */
export function historyBaseOf(meta: SessionMetaLine | undefined): HistoryBase | undefined {
  const { history_base: base } = (meta ?? {}) as { history_base?: Partial<HistoryBase> | null };
  if (typeof base?.thread_id !== "string" || !isUuid(base.thread_id)) return undefined;
  if (!isCount(base.end_byte_offset) || !isCount(base.end_ordinal_exclusive)) return undefined;
  return base as HistoryBase;
}

/** Finds the files that a conversation goes on from, also when these go on from others. */
export async function findBases(path: string, meta: SessionMetaLine | undefined): Promise<Bases> {
  const files: BaseFile[] = [];
  const seen = new Set([meta?.id]);
  for (let base = historyBaseOf(meta); base !== undefined; ) {
    const found = seen.has(base.thread_id) ? undefined : await findBeside(path, base.thread_id);
    if (found === undefined) return { files, missing: base.thread_id };
    seen.add(base.thread_id);
    files.unshift({ path: found, end: base.end_byte_offset });
    base = historyBaseOf((await readHead(found)).meta);
  }
  return { files, missing: undefined };
}

/** Looks in the home that the file belongs to, among what was put away too, else in its folder. */
async function findBeside(path: string, id: string): Promise<string | undefined> {
  const home = homeOf(path);
  if (home !== undefined) {
    return (await findRollout(home, id)) ?? (await findRollout(home, id, { archived: true }));
  }
  return (await filesOf(dirname(path))).find((file) => file.id === id.toLowerCase())?.path;
}

function homeOf(path: string): string | undefined {
  const day = dirname(path);
  const top = basename(day) === "archived_sessions" ? day : dirname(dirname(dirname(day)));
  return /^(archived_)?sessions$/.test(basename(top)) ? dirname(top) : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * The rollouts that nothing was added to since a time, and that nobody needs.
 *
 * One that a younger conversation goes on from stays: without it that one would have no beginning.
 */
export async function findOldFiles(home: string, before: number): Promise<StoredFile[]> {
  const old = new Map<string, StoredFile[]>();
  const young: StoredFile[] = [];
  for await (const file of walkStoredFiles(home)) {
    if (file.updatedAtMs >= before) young.push(file);
    else old.set(file.id, [...(old.get(file.id) ?? []), file]);
  }
  if (old.size > 0) for (const file of young) await keepBases(file, old);
  return [...old.values()].flat();
}

/** Takes what a file goes on from out of the old ones, and what that goes on from. */
async function keepBases({ path }: StoredFile, old: Map<string, StoredFile[]>): Promise<void> {
  const base = historyBaseOf((await readHead(path)).meta)?.thread_id.toLowerCase();
  const needed = base === undefined ? undefined : old.get(base);
  if (base === undefined || needed === undefined) return;
  old.delete(base);
  for (const file of needed) await keepBases(file, old);
}

/**
 * Passes every line of a conversation to a visitor, including lines in the files it continues.
 *
 * Resolves with warnings about what could not be read. The files are not locked.
 */
export async function visitConversation(path: string, visitor: RolloutVisitor): Promise<string[]> {
  return visitFiles(path, () => visitor);
}

/** Like `visitConversation`, with a visitor for each file, oldest first. */
export async function visitFiles(
  path: string,
  visitorFor: (file: string) => RolloutVisitor,
): Promise<string[]> {
  const warnings = new Warnings();
  const { files } = await findBases(path, (await readHead(path)).meta);
  for (const { path: file, end } of [...files, { path, end: Number.POSITIVE_INFINITY }]) {
    await readRollout(file, visitorFor(file), { warnings, until: end });
  }
  return warnings.list();
}
