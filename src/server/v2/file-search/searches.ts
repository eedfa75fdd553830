import { CodexError } from "../../../protocol/error.js";
import type { FileSearch, FileSearchOptions } from "../../../search/index.js";
import { LiveSearch, type SearchListener } from "./live-search.js";

/** The searches of one client. */
export class Searches {
  readonly #open: (roots: readonly string[]) => Promise<FileSearch>;
  readonly #live = new Map<string, LiveSearch>();
  readonly #tokens = new Map<string, AbortController>();
  /** The last one that was made for a single question: the next often asks about the same folders. */
  #recent: { key: string; search: Promise<FileSearch>; timer: NodeJS.Timeout } | undefined;

  constructor(options: Omit<FileSearchOptions, "roots">) {
    this.#open = async (roots) => {
      const { FileSearch } = await import("../../../search/index.js"); // many clients never search
      return new FileSearch({ ...options, roots });
    };
  }

  /** Searches once. An earlier search with the same token ends with what it knows. */
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
    try {
      const search = await this.#recentFor(roots);
      await Promise.race([search.walked, aborted(given.signal), aborted(signal)]);
      return search.find(query);
    } finally {
      if (token !== undefined && this.#tokens.get(token) === given) this.#tokens.delete(token);
    }
  }

  /** Begins a search that goes along; one of the same name is ended. */
  async start(id: string, roots: readonly string[], listener: SearchListener): Promise<void> {
    if (id === "") throw new CodexError("invalid_request", "sessionId must not be empty");
    this.stop(id);
    if (this.#live.size >= mostLive) {
      const message = `There are ${mostLive} file searches already: stop one of them first`;
      throw new CodexError("invalid_request", message);
    }
    this.#live.set(id, new LiveSearch(await this.#open(roots), listener));
  }

  /** Throws when there is no search of this name. */
  require(id: string): void {
    if (this.#live.has(id)) return;
    throw new CodexError("not_found", `fuzzy file search session not found: ${id}`);
  }

  /** Searches for something else from now on. */
  update(id: string, query: string): void {
    this.#live.get(id)?.update(query);
  }

  stop(id: string): void {
    this.#live.get(id)?.close();
    this.#live.delete(id);
  }

  /** Ends all of them. */
  close(): void {
    for (const id of [...this.#live.keys()]) this.stop(id);
    for (const token of this.#tokens.values()) token.abort();
    this.#forget();
  }

  #recentFor(roots: readonly string[]): Promise<FileSearch> {
    const key = JSON.stringify(roots);
    const known = this.#recent?.key === key ? this.#recent.search : undefined;
    if (known === undefined) this.#forget();
    else clearTimeout(this.#recent?.timer);
    const search = known ?? this.#open(roots);
    const timer = setTimeout(() => this.#forget(), keptMs).unref();
    this.#recent = { key, search, timer };
    return search;
  }

  #forget(): void {
    clearTimeout(this.#recent?.timer);
    void this.#recent?.search.then((search) => search.close());
    this.#recent = undefined;
  }
}

/** Each holds the paths of a whole tree. */
const mostLive = 8;
/** Long enough for the next letter, short enough that new files are found. */
const keptMs = 2_000;

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
