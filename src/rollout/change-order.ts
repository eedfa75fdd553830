import { statSync } from "node:fs";
import { mergeSorted, sortInSlices, TimeSlice } from "../lib/time-slice.js";
import { type Cursor, cursorTime } from "./cursor.js";
import type { RolloutFile } from "./files.js";

/** A file that may be listed, with its sort position. */
export interface Candidate extends Cursor {
  file: RolloutFile;
}

/** Options of a read. */
export interface ChangeOptions {
  /** Continues a list, newest first, whose first page was read before. */
  isNextPage: boolean;
  /** Threads that this process may write to. */
  live: ReadonlySet<string>;
}

/**
 * The files of a home in the order of their last change.
 *
 * The time of a file is known from a stat alone, and a home may have 100,000 files. So the order
 * is kept: the next pages of a list are taken from it, and a new list that soon follows looks only
 * at the files that are likely to have changed. These are the ones that changed last, those of live
 * threads, and those in folders that have changed. When another process continues an old thread in
 * a home of very many, a list may show that some seconds later.
 */
export class ChangeOrder {
  #files: readonly ChangedFile[] = [];
  /** Time at which all files were looked at, and how long that took. */
  #readAt = Number.NEGATIVE_INFINITY;
  #cost = 0;
  /** The last read: one that is requested meanwhile uses its result. */
  #last: Promise<unknown> = Promise.resolve();

  /** Returns the files of these folders, the one that changed last first. */
  read(
    folders: AsyncIterable<readonly RolloutFile[]>,
    options: ChangeOptions,
  ): Promise<readonly Candidate[]> {
    const files = this.#last.then(() => this.#read(folders, options));
    this.#last = files.catch(() => undefined);
    return files;
  }

  async #read(
    folders: AsyncIterable<readonly RolloutFile[]>,
    { isNextPage, live }: ChangeOptions,
  ): Promise<readonly ChangedFile[]> {
    const start = performance.now();
    const age = start - this.#readAt;
    if (isNextPage && age < pagesMs) return this.#files;
    const isOutdated = age > Math.min(10 * this.#cost, outdatedMs);
    const known = isOutdated ? [] : this.#files;
    const present = new Set<readonly RolloutFile[]>();
    for await (const folder of folders) present.add(folder);
    const { kept, checked } = divide(known, present, live);
    const changed = await sortInSlices(await readTimes(checked), byChange);
    this.#files = mergeSorted(changed, kept, byChange);
    if (isOutdated) {
      this.#readAt = performance.now();
      this.#cost = this.#readAt - start;
    }
    return this.#files;
  }
}

/** Later pages of a list may be requested so long after all files were looked at. */
const pagesMs = 60_000;
const outdatedMs = 10_000;
/** Of the known files, this many are always looked at. */
const newestFiles = 1000;

/** A file, and the list of its folder as it was read. */
interface ListedFile {
  file: RolloutFile;
  folder: readonly RolloutFile[];
}

/** Separates the files whose times are known from those that must be looked at. */
function divide(
  known: readonly ChangedFile[],
  present: ReadonlySet<readonly RolloutFile[]>,
  live: ReadonlySet<string>,
): { kept: ChangedFile[]; checked: ListedFile[] } {
  const kept: ChangedFile[] = [];
  const checked: ListedFile[] = [];
  const unread = new Set(present);
  for (const [index, one] of known.entries()) {
    if (!present.has(one.folder)) continue;
    unread.delete(one.folder);
    if (index < newestFiles || live.has(one.id)) checked.push(one);
    else kept.push(one);
  }
  for (const folder of unread) for (const file of folder) checked.push({ file, folder });
  return { kept, checked };
}

/** Synchronous stats take a tenth of the time. */
async function readTimes(files: readonly ListedFile[]): Promise<ChangedFile[]> {
  const slice = new TimeSlice();
  const changed: ChangedFile[] = [];
  for (const file of files) {
    changed.push(new ChangedFile(file));
    if (slice.isOver) await slice.next();
  }
  return changed;
}

/** Reads the time of a file; only the few that are shown need it as a text. */
class ChangedFile implements Candidate {
  readonly file: RolloutFile;
  readonly folder: readonly RolloutFile[];
  /** In seconds since 1970, as precise as a cursor. */
  readonly seconds: number;

  constructor({ file, folder }: ListedFile) {
    this.file = file;
    this.folder = folder;
    const { mtimeMs = 0 } = statSync(file.path, { throwIfNoEntry: false }) ?? {};
    this.seconds = Math.floor(mtimeMs / 1000);
  }

  get id(): string {
    return this.file.id;
  }

  get time(): string {
    return cursorTime(this.seconds * 1000);
  }
}

function byChange(one: ChangedFile, other: ChangedFile): number {
  if (one.seconds !== other.seconds) return other.seconds - one.seconds;
  return one.id < other.id ? 1 : -1;
}
