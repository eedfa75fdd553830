import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { sortInSlices, TimeSlice } from "../lib/time-slice.js";
import { isUuid, parseRolloutFileName, type RolloutFileName, rolloutDay } from "./file-name.js";

/** A rollout file and the parts of its name; the file has not been opened. */
export interface RolloutFile extends RolloutFileName {
  name: string;
  path: string;
}

/** Returns the folder of active or archived rollouts. */
export function rolloutFolder(home: string, archived: boolean): string {
  return join(home, archived ? "archived_sessions" : "sessions");
}

/**
 * Yields the rollout files of a home, newest first: by the time in their names, then by id.
 *
 * Only file names are read, one day at a time, and only as far as the caller iterates.
 */
export async function* walkRollouts(home: string, archived: boolean): AsyncGenerator<RolloutFile> {
  for await (const files of walkFolders(home, archived, filesOf)) yield* files;
}

/** Like `walkRollouts`, one folder at a time, listed by `list`. */
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

/** Returns the rollout files of a folder, newest first; empty if it cannot be read. */
export async function filesOf(folder: string): Promise<RolloutFile[]> {
  const slice = new TimeSlice();
  const files: RolloutFile[] = [];
  for (const entry of await entriesOf(folder)) {
    const parsed = entry.isFile() ? parseRolloutFileName(entry.name) : undefined;
    if (parsed !== undefined) files.push(new FoundFile(folder, entry.name, parsed));
    if (slice.isOver) await slice.next();
  }
  return sortInSlices(files, (a, b) => compare(b.time, a.time) || compare(b.id, a.id));
}

/** A file of a folder. Its path is made when it is read: the files of a long list are held in memory. */
class FoundFile implements RolloutFile {
  readonly name: string;
  readonly time: string;
  readonly id: string;
  readonly rolloutId: string;
  readonly #folder: string;

  constructor(folder: string, name: string, { time, id, rolloutId }: RolloutFileName) {
    this.#folder = folder;
    this.name = name;
    this.time = time;
    this.id = id;
    this.rolloutId = rolloutId;
  }

  get path(): string {
    return this.#folder + sep + this.name;
  }
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

/**
 * Returns the rollout of a conversation by its id; undefined if there is none or the id is invalid.
 */
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

/**
 * UUID v7 contains its creation time, which avoids a walk. Adjacent days are tried because the time
 * zone may have changed.
 */
function likelyDays(id: string): string[] {
  if (id[14] !== "7") return [];
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const day = 24 * 60 * 60 * 1000;
  return [ms, ms - day, ms + day].map((time) => rolloutDay(new Date(time)));
}

/** A rollout on disk with its size, without its contents. */
export interface StoredFile {
  id: string;
  path: string;
  archived: boolean;
  bytes: number;
  /** Time of the last change in milliseconds since 1970. */
  updatedAtMs: number;
}

/** Yields the rollouts of a home, newest first: active ones, then archived ones. */
export async function* walkStoredFiles(home: string): AsyncGenerator<StoredFile> {
  for (const archived of [false, true]) {
    for await (const { id, path } of walkRollouts(home, archived)) {
      // Another process may archive or delete a file during the walk.
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined) continue;
      yield { id, path, archived, bytes: stats.size, updatedAtMs: stats.mtimeMs };
    }
  }
}
