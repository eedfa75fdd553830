import { comparePaths, PathList, type PathMatch } from "./path-list.js";
import { type PatternOptions, parsePattern } from "./pattern.js";
import { walk } from "./walk.js";

/** Options for {@link FileSearch}. */
export interface FileSearchOptions extends PatternOptions {
  roots: readonly string[];
  /** Include folders in the results. */
  folders: boolean;
  limit: number;
}

/** A search result. */
export interface FoundFile extends PathMatch {
  root: string;
  /** Last segment of the path. */
  name: string;
}

/**
 * Fuzzy search for files below some roots.
 *
 * Walks the roots once, from the constructor on; can be queried while it does. Call `close` to stop
 * the walk.
 */
export class FileSearch {
  /** Resolves when the walk ends or `close` was called. */
  readonly walked: Promise<void>;
  readonly #options: FileSearchOptions;
  readonly #closing = new AbortController();
  readonly #lists: { root: string; list: PathList }[];
  #isComplete = false;

  constructor(options: FileSearchOptions) {
    const { roots, folders } = options;
    this.#options = options;
    this.#lists = [...new Set(roots)].map((root) => ({ root, list: new PathList() }));
    const { signal } = this.#closing;
    const walks = this.#lists.map(({ root, list }) =>
      walk({
        root,
        signal,
        onEntry: (entry) => {
          if (folders || !entry.isFolder) list.add(entry);
        },
      }),
    );
    this.walked = Promise.all(walks).then(() => {
      this.#isComplete = true;
    });
  }

  /** Returns whether the walk has ended. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Number of paths found so far. */
  get size(): number {
    return this.#lists.reduce((sum, { list }) => sum + list.size, 0);
  }

  /** Returns the best matches among the paths found so far; empty for a query without words. */
  find(query: string): FoundFile[] {
    const { limit } = this.#options;
    const words = parsePattern(query, this.#options);
    if (words.length === 0) return [];
    const found = this.#lists.flatMap(({ root, list }) =>
      list.search(words, limit).map((match) => ({ root, ...match })),
    );
    const best = found.sort(byScore).slice(0, limit);
    return best.map((file) => ({ ...file, name: fileNameOf(file.path) }));
  }

  /** Stops the walk. */
  close(): void {
    this.#closing.abort();
  }
}

/** Sorts by score, then by path. */
export function byScore(
  a: { score: number; path: string },
  b: { score: number; path: string },
): number {
  return b.score - a.score || comparePaths(a.path, b.path);
}

/** Returns the last segment of a path; the path itself if it has none, such as `..`. */
export function fileNameOf(path: string): string {
  const last = path.split("/").findLast((name) => name !== "" && name !== ".");
  return last === undefined || last === ".." ? path : last;
}
