import { basename, dirname } from "node:path";
import type { SessionMetaLine } from "../protocol/types.js";
import { isUuid } from "./file-name.js";
import { findRollout } from "./find.js";
import { readHead } from "./head.js";
import { filesOf } from "./walk.js";

/** Where a conversation begins whose own file holds only what came later. */
export interface HistoryBase {
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
export interface Bases {
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
