import { comparePaths, PathList, type PathMatch } from "./path-list.js";
import { type PatternOptions, parsePattern } from "./pattern.js";
import { walk } from "./walk.js";

/** Where files are searched, and how. */
export interface FileSearchOptions extends PatternOptions {
  roots: readonly string[];
  /** Whether folders are found too. */
  folders: boolean;
  limit: number;
}

/** A file that was found. */
export interface FoundFile extends PathMatch {
  root: string;
  /** The last part of its path. */
  name: string;
}

/**
 * The files below some roots, made ready to be searched by name.
 *
 * It looks through them once, from the start, and can be asked while it does. Close it to end that.
 */
export class FileSearch {
  /** Resolves when all files are known, or it was closed. */
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

  /** Whether all files are known. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** How many paths are known by now. */
  get size(): number {
    return this.#lists.reduce((sum, { list }) => sum + list.size, 0);
  }

  /** What fits best of what is known by now; nothing for a query without words. */
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

  /** Ends the walk. */
  close(): void {
    this.#closing.abort();
  }
}

/** Better ones first, equal ones by path. */
export function byScore(
  a: { score: number; path: string },
  b: { score: number; path: string },
): number {
  return b.score - a.score || comparePaths(a.path, b.path);
}

/** The last name of a path; the path itself when it has none, such as `..`. */
export function fileNameOf(path: string): string {
  const last = path.split("/").findLast((name) => name !== "" && name !== ".");
  return last === undefined || last === ".." ? path : last;
}
