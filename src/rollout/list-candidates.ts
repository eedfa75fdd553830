import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Cursor, cursorTime, isAfter } from "./cursor.js";
import { type RolloutFile, walkFolders } from "./files.js";

/** A file that may be listed, with its sort position. */
export interface Candidate extends Cursor {
  file: RolloutFile;
}

/** Consecutive files in list order. */
export interface Stretch {
  /** Number of files up to the cursor. */
  passed: number;
  /** Files after the cursor. */
  candidates: Candidate[];
}

/** Sort order and start of a page. */
export interface CandidateOptions {
  archived?: boolean;
  sortKey?: "created_at" | "updated_at";
  direction?: "desc" | "asc";
  cursor?: Cursor;
}

/** Yields the rollout files of a home in list order; `list` reads a folder. */
export async function* walkCandidates(
  home: string,
  { archived = false, sortKey, direction, cursor }: CandidateOptions,
  list: (folder: string) => Promise<readonly RolloutFile[]>,
): AsyncGenerator<Stretch, undefined> {
  const folders = walkFolders(home, archived, list);
  const newestFirst = sortKey === "updated_at" ? byChange(folders) : byName(folders);
  const isAscending = direction === "asc";
  for await (const files of isAscending ? reversed(newestFirst) : newestFirst) {
    const first = cursor === undefined ? 0 : firstAfter(files, cursor, isAscending);
    yield { passed: first, candidates: files.slice(first) };
  }
}

/** Returns the index of the first file after the cursor. */
function firstAfter(files: readonly Candidate[], cursor: Cursor, isAscending: boolean): number {
  let [from, to] = [0, files.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const position = files[middle] ?? cursor;
    const isPassed = isAscending ? !isAfter(cursor, position) : !isAfter(position, cursor);
    if (isPassed) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Ascending order needs all files first. */
async function* reversed(stretches: AsyncIterable<Candidate[]>): AsyncGenerator<Candidate[]> {
  const all: Candidate[] = [];
  for await (const files of stretches) for (const file of files) all.push(file);
  yield all.reverse();
}

async function* byName(
  folders: AsyncIterable<readonly RolloutFile[]>,
): AsyncGenerator<Candidate[]> {
  for await (const files of folders) {
    yield files.map((file) => ({ file, time: file.time, id: file.id }));
  }
}

/**
 * Sorts by modification time, which needs a stat of every file.
 *
 * Synchronous stats take a tenth of the time; the loop yields to other work between batches.
 */
async function* byChange(
  folders: AsyncIterable<readonly RolloutFile[]>,
): AsyncGenerator<Candidate[]> {
  const all: Candidate[] = [];
  for await (const files of folders) {
    for (const file of files) {
      all.push({ file, time: changeTime(file), id: file.id });
      if (all.length % 256 === 0) await setImmediate();
    }
  }
  yield all.sort((a, b) => (isAfter(a, b) ? 1 : -1));
}

function changeTime({ path }: RolloutFile): string {
  return cursorTime(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
