import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Cursor, cursorTime, isBehind } from "./cursor.js";
import { type RolloutFile, walkFolders } from "./files.js";

/** A file that may be listed, at its place in the order. */
export interface Candidate extends Cursor {
  file: RolloutFile;
}

/** Files that follow each other in the order. */
export interface Stretch {
  /** How many of them come before those behind the cursor. */
  passed: number;
  /** Those behind it. */
  candidates: Candidate[];
}

/** How files are ordered, and where the page begins. */
export interface CandidateOptions {
  archived?: boolean;
  sortKey?: "created_at" | "updated_at";
  direction?: "desc" | "asc";
  cursor?: Cursor;
}

/** The rollout files of a home in the order of a list, as `list` reads the folders. */
export async function* walkCandidates(
  home: string,
  { archived = false, sortKey, direction, cursor }: CandidateOptions,
  list: (folder: string) => Promise<readonly RolloutFile[]>,
): AsyncGenerator<Stretch, undefined> {
  const folders = walkFolders(home, archived, list);
  const newestFirst = sortKey === "updated_at" ? byChange(folders) : byName(folders);
  const isAscending = direction === "asc";
  for await (const files of isAscending ? reversed(newestFirst) : newestFirst) {
    const first = cursor === undefined ? 0 : firstBehind(files, cursor, isAscending);
    yield { passed: first, candidates: files.slice(first) };
  }
}

/** Where in an ordered list those begin that lie behind the cursor. */
function firstBehind(files: readonly Candidate[], cursor: Cursor, isAscending: boolean): number {
  let [from, to] = [0, files.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const place = files[middle] ?? cursor;
    const isPassed = isAscending ? !isBehind(cursor, place) : !isBehind(place, cursor);
    if (isPassed) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The oldest is known only when all are. */
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
 * When a file was changed, its name does not say: all must be looked at, though not opened.
 *
 * Asked for one by one without waiting, that takes a tenth of the time; others get their turn
 * between.
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
  yield all.sort((a, b) => (isBehind(a, b) ? 1 : -1));
}

function changeTime({ path }: RolloutFile): string {
  return cursorTime(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
