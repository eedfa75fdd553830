import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isUuid, parseRolloutFileName, type RolloutFileName, rolloutDay } from "./file-name.js";

/** A rollout file, known by its name alone. */
export interface RolloutFile extends RolloutFileName {
  name: string;
  path: string;
}

/** Where rollouts of conversations are kept, and where those are that were put away. */
export function rolloutFolder(home: string, archived: boolean): string {
  return join(home, archived ? "archived_sessions" : "sessions");
}

/**
 * The rollout files of a home, newest first: by the time in their names, then by their ids.
 *
 * Only names are read, a day at a time, and only as far as the caller goes.
 */
export async function* walkRollouts(home: string, archived: boolean): AsyncGenerator<RolloutFile> {
  for await (const files of walkFolders(home, archived, filesOf)) yield* files;
}

/** The same, all files of a folder at a time, as `list` reads them. */
export async function* walkFolders(
  home: string,
  archived: boolean,
  list: (folder: string) => Promise<readonly RolloutFile[]>,
): AsyncGenerator<readonly RolloutFile[]> {
  const root = rolloutFolder(home, archived);
  if (archived) {
    yield await list(root);
    return;
  }
  for (const year of await foldersOf(root, /^\d{4}$/)) {
    for (const month of await foldersOf(year, /^\d{1,2}$/)) {
      for (const day of await foldersOf(month, /^\d{1,2}$/)) yield await list(day);
    }
  }
}

/** The rollout files of one folder, newest first; none when it cannot be read. */
export async function filesOf(folder: string): Promise<RolloutFile[]> {
  const files: RolloutFile[] = [];
  for (const entry of await entriesOf(folder)) {
    const parsed = entry.isFile() ? parseRolloutFileName(entry.name) : undefined;
    if (parsed !== undefined) {
      files.push({ ...parsed, name: entry.name, path: join(folder, entry.name) });
    }
  }
  return files.sort((a, b) => compare(b.time, a.time) || compare(b.id, a.id));
}

async function foldersOf(folder: string, name: RegExp): Promise<string[]> {
  return (await entriesOf(folder))
    .filter((entry) => entry.isDirectory() && name.test(entry.name))
    .sort((a, b) => Number(b.name) - Number(a.name))
    .map((entry) => join(folder, entry.name));
}

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The rollout of a conversation by its id; nothing when there is none or it is no id. */
export async function findRollout(
  home: string,
  id: string,
  { archived = false }: { archived?: boolean } = {},
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const wanted = id.toLowerCase();
  const matches = (file: RolloutFile) => file.id === wanted;
  if (!archived) {
    for (const day of likelyDays(wanted)) {
      const files = await filesOf(join(rolloutFolder(home, false), day));
      const found = files.find(matches);
      if (found !== undefined) return found.path;
    }
  }
  for await (const file of walkRollouts(home, archived)) if (matches(file)) return file.path;
  return undefined;
}

/** Newer ids say when they were made, which spares the walk; the time zone may have changed since. */
function likelyDays(id: string): string[] {
  if (id[14] !== "7") return [];
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const day = 24 * 60 * 60 * 1000;
  return [ms, ms - day, ms + day].map((time) => rolloutDay(new Date(time)));
}

/** A rollout on disk, without what stands in it. */
export interface StoredFile {
  id: string;
  path: string;
  archived: boolean;
  bytes: number;
  /** When it was last added to, in milliseconds since 1970. */
  updatedAtMs: number;
}

/** The rollouts of a home, newest first: first those in use, then those that were put away. */
export async function* walkStoredFiles(home: string): AsyncGenerator<StoredFile> {
  for (const archived of [false, true]) {
    for await (const { id, path } of walkRollouts(home, archived)) {
      // Others may put a file away or remove it while we walk.
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined) continue;
      yield { id, path, archived, bytes: stats.size, updatedAtMs: stats.mtimeMs };
    }
  }
}
