import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Cursor, cursorTime, isBehind } from "./cursor.js";
import { type RolloutFile, walkRollouts } from "./walk.js";

/** A file that may be listed, at its place in the order. */
export interface Candidate extends Cursor {
  file: RolloutFile;
  isBehindCursor: boolean;
}

/** How files are ordered, and where the page begins. */
export interface CandidateOptions {
  archived?: boolean;
  sortKey?: "created_at" | "updated_at";
  direction?: "desc" | "asc";
  cursor?: Cursor;
}

/** The rollout files of a home in the order of a list. */
export async function* walkCandidates(
  home: string,
  { archived = false, sortKey, direction, cursor }: CandidateOptions,
): AsyncGenerator<Candidate, undefined> {
  const files = walkRollouts(home, archived);
  const newestFirst = sortKey === "updated_at" ? byChange(files) : byName(files);
  const isAscending = direction === "asc";
  for await (const { file, time } of isAscending ? reversed(newestFirst) : newestFirst) {
    const place = { time, id: file.id };
    const isBehindCursor =
      cursor === undefined || (isAscending ? isBehind(cursor, place) : isBehind(place, cursor));
    yield { ...place, file, isBehindCursor };
  }
}

interface Timed {
  file: RolloutFile;
  time: string;
}

/** The oldest is known only when all are. */
async function* reversed(files: AsyncIterable<Timed>): AsyncGenerator<Timed> {
  const all: Timed[] = [];
  for await (const one of files) all.push(one);
  yield* all.reverse();
}

async function* byName(files: AsyncIterable<RolloutFile>): AsyncGenerator<Timed> {
  for await (const file of files) yield { file, time: file.time };
}

/**
 * When a file was changed, its name does not say: all must be looked at, though not opened.
 *
 * Asked for one by one without waiting, that takes a tenth of the time; others get their turn
 * between.
 */
async function* byChange(files: AsyncIterable<RolloutFile>): AsyncGenerator<Timed> {
  const timed: Timed[] = [];
  for await (const file of files) {
    timed.push(changeTime(file));
    if (timed.length % 256 === 0) await setImmediate();
  }
  yield* timed.sort((a, b) => (isBehind(place(a), place(b)) ? 1 : -1));
}

function changeTime(file: RolloutFile): Timed {
  const stats = statSync(file.path, { throwIfNoEntry: false });
  return { file, time: cursorTime(stats?.mtimeMs ?? 0) };
}

function place({ file, time }: Timed): Cursor {
  return { time, id: file.id };
}
