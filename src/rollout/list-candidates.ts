import type { Candidate } from "./change-order.js";
import { type Cursor, isAfter } from "./cursor.js";
import { type RolloutFile, walkFolders } from "./files.js";
import type { ThreadIndex } from "./thread-index.js";

/** Consecutive files in list order. */
export interface Stretch {
  /** Number of files up to the cursor. */
  passed: number;
  /** Files after the cursor. */
  candidates: readonly Candidate[];
}

/** Sort order and start of a page. */
export interface CandidateOptions {
  archived?: boolean;
  sortKey?: "created_at" | "updated_at";
  direction?: "desc" | "asc";
  cursor?: Cursor;
  /** Threads that this process may write to. */
  live?: ReadonlySet<string>;
}

/** Yields the rollout files of a home in list order. */
export async function* walkCandidates(
  home: string,
  options: CandidateOptions,
  index: ThreadIndex,
): AsyncGenerator<Stretch, undefined> {
  const { archived = false, sortKey, direction, cursor } = options;
  const folders = walkFolders(home, archived, (folder) => index.folders.list(folder));
  const newestFirst =
    sortKey === "updated_at" ? byChange(folders, options, index) : byName(folders);
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
async function* reversed(
  stretches: AsyncIterable<readonly Candidate[]>,
): AsyncGenerator<Candidate[]> {
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

/** A list that is oldest first ends with the changes of now, which a kept order does not have. */
async function* byChange(
  folders: AsyncIterable<readonly RolloutFile[]>,
  { archived = false, direction, cursor, live = new Set() }: CandidateOptions,
  index: ThreadIndex,
): AsyncGenerator<readonly Candidate[]> {
  const isNextPage = cursor !== undefined && direction !== "asc";
  yield await index.changesOf(archived).read(folders, { isNextPage, live });
}
