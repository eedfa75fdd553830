import { basename, dirname } from "node:path";
import type { SessionMetaLine } from "../protocol/types.js";
import { isUuid } from "./file-name.js";
import { filesOf, findRollout, type StoredFile, walkStoredFiles } from "./files.js";
import { readHead } from "./head.js";
import { type RolloutVisitor, readRollout } from "./read.js";
import { Warnings } from "./warnings.js";

/** Start of a conversation whose own file contains only the later part. */
interface HistoryBase {
  thread_id: string;
  /** Number and offset of the first line after the shared part. */
  end_ordinal_exclusive: number;
  end_byte_offset: number;
}

/** File that holds the start of another conversation. */
export interface BaseFile {
  path: string;
  /** Offset at which the shared part ends. */
  end: number;
}

/** Files that a conversation continues. */
interface Bases {
  /** Oldest first. */
  files: BaseFile[];
  /** Id of a conversation whose file is needed but missing. */
  missing: string | undefined;
}

/** Returns the `history_base` of a meta line, which forks of the reference have since 0.155. */
export function historyBaseOf(meta: SessionMetaLine | undefined): HistoryBase | undefined {
  const { history_base: base } = (meta ?? {}) as { history_base?: Partial<HistoryBase> | null };
  if (typeof base?.thread_id !== "string" || !isUuid(base.thread_id)) return undefined;
  if (!isCount(base.end_byte_offset) || !isCount(base.end_ordinal_exclusive)) return undefined;
  return base as HistoryBase;
}

/** Finds the files that a conversation continues, recursively. */
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

/** Searches the home of the file, including archived conversations, or else the file's folder. */
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
 * Returns rollouts that were not changed since `before`, are not pinned, and are not needed by another one
 * that stays.
 *
 * A file that such a conversation continues is retained: it holds the start of that conversation.
 */
export async function findOldFiles(
  home: string,
  before: number,
  pinned: ReadonlySet<string> = new Set(),
): Promise<StoredFile[]> {
  const old = new Map<string, StoredFile[]>();
  const young: StoredFile[] = [];
  for await (const file of walkStoredFiles(home)) {
    if (file.updatedAtMs >= before || pinned.has(file.id)) young.push(file);
    else old.set(file.id, [...(old.get(file.id) ?? []), file]);
  }
  if (old.size > 0) for (const file of young) await keepBases(file, old);
  return [...old.values()].flat();
}

/** Removes the files that `path` continues from the candidates, recursively. */
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
