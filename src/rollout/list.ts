import { statSync } from "node:fs";
import { TimeSlice } from "../lib/time-slice.js";
import type { ThreadStatus } from "../protocol/rpc/v2/status.js";
import type { Candidate } from "./change-order.js";
import { type Cursor, cursorTime, formatCursor, isAfter } from "./cursor.js";
import { fileTime } from "./file-name.js";
import { isSubAgent, readThreadFacts, type ThreadFacts } from "./head.js";
import { type Stretch, walkCandidates } from "./list-candidates.js";
import { ThreadIndex } from "./thread-index.js";

/** Filters, order and page of a list of conversations. */
export interface ListOptions {
  /** Default: 25. */
  pageSize?: number;
  /** The page starts after it. */
  cursor?: Cursor;
  /** Lists archived conversations instead of active ones. */
  archived?: boolean;
  /** Start time (default) or last change. */
  sortKey?: "created_at" | "updated_at";
  /** Newest first (default) or oldest first. */
  direction?: "desc" | "asc";
  /** Only conversations started by these clients; all if empty. */
  sources?: readonly string[];
  /** Only conversations of these providers; all if empty. */
  providers?: readonly string[];
  /** Provider of conversations that did not record one. */
  defaultProvider?: string;
  /** Only conversations started in this folder. */
  cwd?: string;
  /** Threads started by others in the list: none (default), those with a message of a user, or all. */
  agents?: "none" | "with a message" | "all";
  /** Filters by facts and name. */
  accepts?(facts: ThreadFacts, name: string | undefined): boolean;
  /**
   * List behavior: `2025` shows only conversations with a message event among their first records,
   * and returns a cursor with every page that is not empty, including the last.
   */
  form?: "2025" | "2026";
  /** Maximum number of files to open. Default: 10,000. */
  maxOpened?: number;
  /** Threads that this process may write to. */
  live?: ReadonlySet<string>;
}

/** A conversation in a list. */
export interface ThreadSummary extends ThreadFacts {
  path: string;
  /** Time of the last change in milliseconds since 1970. */
  updatedAtMs: number;
  name: string | undefined;
  /** Status of a thread of a fleet. */
  status?: ThreadStatus;
}

/** A page of a list. */
export interface ThreadPage {
  items: ThreadSummary[];
  nextCursor: string | undefined;
  /** Cursor for a list in the other direction that starts with this page's first timestamp. */
  backwardsCursor: string | undefined;
  /** Number of files passed, most of them by name only. */
  scannedFiles: number;
}

/**
 * Lists the conversations of a home, newest first by default.
 *
 * Locks nothing. Reads only the heads of rollouts that the index does not contain. The number of
 * files opened per call is bounded; the cursor then continues from there.
 */
export async function listThreads(
  home: string,
  options: ListOptions = {},
  index = new ThreadIndex(home),
): Promise<ThreadPage> {
  await index.load();
  const listing = new Listing(options, new Summaries(options, index, await index.names.read()));
  await listing.fill(walkCandidates(home, options, index));
  await index.save();
  return listing.toPage();
}

/** A file that a walk has reached, with its position in the list. */
export interface WalkedThread {
  position: Cursor;
  /** Undefined if the conversation is not wanted. */
  summary: ThreadSummary | undefined;
}

/** Yields the conversations of a list, as `listThreads` shows them in pages. */
export async function* walkThreads(
  home: string,
  options: Omit<ListOptions, "pageSize" | "maxOpened">,
  index: ThreadIndex,
): AsyncGenerator<WalkedThread> {
  await index.load();
  const summaries = new Summaries(options, index, await index.names.read());
  const slice = new TimeSlice();
  try {
    for await (const { candidates } of walkCandidates(home, options, index)) {
      for (const candidate of candidates) {
        yield { position: candidate, summary: await summaries.of(candidate) };
        if (slice.isOver) await slice.next();
      }
    }
  } finally {
    await index.save();
  }
}

/** Lists conversations whose facts are known, as `listThreads` does with files. */
export function listSummaries(
  all: readonly ThreadSummary[],
  options: Omit<ListOptions, "archived" | "maxOpened">,
): ThreadPage {
  const { cursor, sortKey, direction } = options;
  const timeOf = (summary: ThreadSummary) =>
    sortKey === "updated_at"
      ? cursorTime(summary.updatedAtMs)
      : fileTime(new Date(summary.timestamp));
  const places = all
    .filter((summary) => isWanted(summary, summary.name, options))
    .map((summary) => ({ summary, time: timeOf(summary), id: summary.id }))
    .sort((a, b) => (isAfter(a, b) ? 1 : -1));
  if (direction === "asc") places.reverse();
  const isLater = (place: Cursor, other: Cursor) =>
    direction === "asc" ? isAfter(other, place) : isAfter(place, other);
  const rest = cursor === undefined ? places : places.filter((place) => isLater(place, cursor));
  const page = rest.slice(0, Math.max(1, options.pageSize ?? 25));
  const [first, last] = [page[0], page.at(-1)];
  return {
    items: page.map(({ summary }) => summary),
    nextCursor: last === undefined || page.length === rest.length ? undefined : formatCursor(last),
    backwardsCursor: first && formatCursor(before(first, options)),
    scannedFiles: all.length,
  };
}

/** Several conversations may share a timestamp; a list that returns must not skip any of them. */
function before({ time }: Cursor, { direction }: ListOptions): Cursor {
  return { time, id: direction === "asc" ? lastId : firstId };
}

function isWanted(facts: ThreadFacts, name: string | undefined, options: ListOptions): boolean {
  const { source, provider, cwd, hasUserEvent } = facts;
  const { sources = [], providers = [], defaultProvider, cwd: wantedCwd } = options;
  if (options.form === "2025" && !hasUserEvent) return false;
  if (isSubAgent(source) && !showsAgent(facts, options)) return false;
  if (sources.length > 0 && !sources.some((one) => one === source)) return false;
  const itsProvider = provider ?? defaultProvider;
  if (providers.length > 0 && !providers.some((one) => one === itsProvider)) return false;
  if (wantedCwd !== undefined && cwd !== wantedCwd) return false;
  return options.accepts?.(facts, name) ?? true;
}

function showsAgent({ preview }: ThreadFacts, { agents = "none" }: ListOptions): boolean {
  return agents === "all" || (agents === "with a message" && preview !== "");
}

class Listing {
  readonly #options: ListOptions;
  readonly #pageSize: number;
  readonly #summaries: Summaries;
  /** Current stretch, and how many of its files were taken. */
  #stretch: readonly Candidate[] = [];
  #taken = 0;
  readonly #shown: { candidate: Candidate; summary: ThreadSummary }[] = [];
  #last: Candidate | undefined;
  #hasMore = false;
  #scanned = 0;

  constructor(options: ListOptions, summaries: Summaries) {
    this.#options = options;
    this.#summaries = summaries;
    this.#pageSize = Math.max(1, options.pageSize ?? 25);
  }

  async fill(stretches: AsyncIterator<Stretch>): Promise<void> {
    const maxOpened = this.#options.maxOpened ?? 10_000;
    const slice = new TimeSlice();
    for (;;) {
      const left = this.#pageSize - this.#shown.length;
      const batch = await this.#take(stretches, left === 0 ? 1 : this.#batchSize(left));
      if (batch.length === 0) return;
      if (left === 0 || this.#summaries.opened >= maxOpened) {
        this.#hasMore = true;
        return;
      }
      await this.#show(batch);
      if (slice.isOver) await slice.next();
    }
  }

  toPage(): ThreadPage {
    const end = this.#hasMore ? this.#last : undefined;
    const isOld = this.#options.form === "2025";
    const last = isOld ? (this.#shown.at(-1)?.candidate ?? end) : end;
    const first = this.#shown[0]?.candidate;
    return {
      items: this.#shown.map(({ summary }) => summary),
      nextCursor: last === undefined ? undefined : formatCursor(last),
      backwardsCursor: first === undefined ? undefined : formatCursor(before(first, this.#options)),
      scannedFiles: this.#scanned,
    };
  }

  /** With filters, many files are read for each one that is listed. */
  #batchSize(left: number): number {
    const { sources = [], providers = [], cwd, accepts } = this.#options;
    const isFiltered =
      sources.length > 0 || providers.length > 0 || cwd !== undefined || accepts !== undefined;
    return isFiltered ? 64 : Math.min(left, 64);
  }

  /** Returns the next files after the cursor. */
  async #take(stretches: AsyncIterator<Stretch>, count: number): Promise<Candidate[]> {
    const batch: Candidate[] = [];
    for (;;) {
      const some = this.#stretch.slice(this.#taken, this.#taken + count - batch.length);
      batch.push(...some);
      this.#taken += some.length;
      this.#scanned += some.length;
      if (batch.length === count) return batch;
      const { value, done } = await stretches.next();
      if (done) return batch;
      this.#scanned += value.passed;
      this.#stretch = value.candidates;
      this.#taken = 0;
    }
  }

  async #show(batch: readonly Candidate[]): Promise<void> {
    const summaries = await Promise.all(batch.map((candidate) => this.#summaries.of(candidate)));
    for (const [position, candidate] of batch.entries()) {
      if (this.#shown.length === this.#pageSize) {
        this.#hasMore = true;
        return;
      }
      this.#last = candidate;
      const summary = summaries[position];
      if (summary !== undefined) this.#shown.push({ candidate, summary });
    }
  }
}

/** Reads the facts of files, from the index if it has them. */
class Summaries {
  /** Number of files that were opened. */
  opened = 0;
  readonly #options: ListOptions;
  readonly #index: ThreadIndex;
  readonly #names: ReadonlyMap<string, string>;

  constructor(options: ListOptions, index: ThreadIndex, names: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#index = index;
    this.#names = names;
  }

  /** Returns the summary of a file; undefined if it is not wanted or is no conversation. */
  async of({ file }: Candidate): Promise<ThreadSummary | undefined> {
    const known = this.#index.get(file.name);
    if (known !== undefined && !this.#isWanted(known.facts)) return undefined;
    const { path } = file;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    let facts = known?.inode === stats.ino ? known.facts : undefined;
    if (facts === undefined) {
      this.opened++;
      facts = await readThreadFacts(path);
      if (facts === undefined) return undefined;
      this.#index.add({ file: file.name, inode: stats.ino, facts });
    }
    if (!this.#isWanted(facts)) return undefined;
    const name = this.#names.get(facts.id);
    return { ...facts, path, updatedAtMs: stats.mtimeMs, name };
  }

  #isWanted(facts: ThreadFacts): boolean {
    return isWanted(facts, this.#names.get(facts.id), this.#options);
  }
}

const firstId = "00000000-0000-0000-0000-000000000000";
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
