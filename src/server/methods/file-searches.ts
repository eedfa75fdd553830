import { setTimeout as delay } from "node:timers/promises";
import { CodexError } from "../../protocol/error.js";
import type { FileSearch, FileSearchOptions, FoundFile } from "../../search/index.js";

/** File searches of one client. */
export class Searches {
  readonly #open: (roots: readonly string[]) => Promise<FileSearch>;
  readonly #live = new Map<string, LiveSearch>();
  readonly #tokens = new Map<string, AbortController>();
  /** The last one-time search, reused since the next query often has the same roots. */
  #recent: Recent | undefined;
  #isClosed = false;

  constructor(options: Omit<FileSearchOptions, "roots">) {
    this.#open = async (roots) => {
      const { FileSearch } = await import("../../search/index.js"); // loaded on demand: many clients never search
      return new FileSearch({ ...options, roots });
    };
  }

  /**
   * Searches once, for a limited time. An earlier search with the same token returns what it has
   * found.
   */
  async once(
    query: string,
    roots: readonly string[],
    { token, signal }: { token: string | undefined; signal: AbortSignal },
  ) {
    const given = new AbortController();
    if (token !== undefined) {
      this.#tokens.get(token)?.abort();
      this.#tokens.set(token, given);
    }
    const recent = this.#recentFor(roots);
    recent.users++;
    try {
      const search = await recent.search;
      await Promise.race([search.walked, aborted(given.signal), aborted(signal), longEnough()]);
      return search.find(query);
    } finally {
      recent.users--;
      if (recent !== this.#recent) closeUnused(recent);
      if (token !== undefined && this.#tokens.get(token) === given) this.#tokens.delete(token);
    }
  }

  /** Starts a search session; ends an earlier one with the same id. */
  async start(id: string, roots: readonly string[], listener: SearchListener): Promise<void> {
    if (id === "") throw new CodexError("invalid_request", "sessionId must not be empty");
    this.stop(id);
    if (this.#live.size >= maxSessions) {
      const message = `There are ${maxSessions} file searches already: stop one of them first`;
      throw new CodexError("invalid_request", message);
    }
    const live = new LiveSearch(await this.#open(roots), listener);
    this.stop(id); // another session may have started in the meantime
    if (this.#isClosed) live.close();
    else this.#live.set(id, live);
  }

  /** Throws if there is no session with this id. */
  require(id: string): void {
    if (this.#live.has(id)) return;
    throw new CodexError("not_found", `fuzzy file search session not found: ${id}`);
  }

  /** Changes the query. */
  update(id: string, query: string): void {
    this.#live.get(id)?.update(query);
  }

  stop(id: string): void {
    this.#live.get(id)?.close();
    this.#live.delete(id);
  }

  /** Ends all searches. */
  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#live.keys()]) this.stop(id);
    for (const token of this.#tokens.values()) token.abort();
    this.#forget();
  }

  #recentFor(roots: readonly string[]): Recent {
    const key = JSON.stringify(roots);
    if (this.#recent?.key === key) return this.#recent;
    this.#forget();
    const recent: Recent = { key, search: this.#open(roots), users: 0, timer: undefined };
    this.#recent = recent;
    void recent.search
      .then((search) => search.walked)
      .then(() => {
        recent.timer = setTimeout(() => this.#forget(recent), keptMs).unref();
      });
    return recent;
  }

  #forget(recent = this.#recent): void {
    if (recent === undefined) return;
    clearTimeout(recent.timer);
    if (this.#recent === recent) this.#recent = undefined;
    closeUnused(recent);
  }
}

function closeUnused({ search, users }: Recent): void {
  if (users === 0) void search.then((one) => one.close());
}

interface Recent {
  key: string;
  search: Promise<FileSearch>;
  /** Callers that wait for it; the search runs while there are any. */
  users: number;
  /** Timer that starts when all files are listed. */
  timer: NodeJS.Timeout | undefined;
}

/** Limit of sessions: each holds the paths of a whole tree. */
const maxSessions = 8;
/** Long enough for the next key press, short enough that new files are found. */
const keptMs = 2_000;

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

/** Resolves when the time limit is reached: walking a whole file system takes minutes. */
function longEnough(): Promise<void> {
  return delay(longestWalkMs, undefined, { ref: false });
}

const longestWalkMs = 3_000;

/** Callbacks of a search session. */
interface SearchListener {
  onFound(query: string, files: FoundFile[]): void;
  /** All files have been matched against the last query. */
  onComplete(): void;
}

/** Search session whose query changes while the files are still being listed. */
class LiveSearch {
  readonly #search: FileSearch;
  readonly #listener: SearchListener;
  #query: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(search: FileSearch, listener: SearchListener) {
    this.#search = search;
    this.#listener = listener;
    void search.walked.then(() => this.#report());
  }

  /** Changes the query. */
  update(query: string): void {
    this.#query = query;
    this.#report();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#search.close();
  }

  /** Reports the results so far, and again after a pause while more files are found. */
  #report(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#query === undefined) return;
    this.#listener.onFound(this.#query, this.#search.find(this.#query));
    if (this.#search.isComplete) this.#listener.onComplete();
    else this.#timer = setTimeout(() => this.#report(), pauseMs).unref();
  }
}

/** Pause between reports, as short as a list on screen can be read. */
const pauseMs = 100;
