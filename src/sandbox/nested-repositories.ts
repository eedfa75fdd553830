import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { protectedNames } from "./protected-paths.js";

/** Limits of a search for nested repositories. */
export interface SearchLimits {
  directories: number;
  entries: number;
  depth: number;
}

/** Protected names found below a root, excluding those in the root itself. */
export interface NestedFindings {
  paths: string[];
  /** False if the search reached a limit. */
  complete: boolean;
}

/**
 * Finds repositories inside writable roots without walking the tree for every command.
 *
 * A root is searched breadth-first, within limits, on first use; the result is cached. If the
 * result is older than `freshMs`, it is still used once more while a new search runs concurrently
 * with the command. Only a result older than `usableMs` is waited for. Repositories that a command
 * creates need no protection from it, so only those added between commands matter.
 */
export class NestedRepositories {
  readonly #limits: SearchLimits;
  readonly #now: () => number;
  readonly #known = new Map<string, { at: number; findings: NestedFindings }>();
  readonly #searches = new Map<string, Promise<NestedFindings>>();

  constructor(limits: SearchLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  async find(root: string): Promise<NestedFindings> {
    const known = this.#known.get(root);
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.#now() - known.at;
    if (known === undefined || age > usableMs) return this.#search(root);
    if (age > freshMs) void this.#search(root);
    return known.findings;
  }

  #search(root: string): Promise<NestedFindings> {
    const running = this.#searches.get(root);
    if (running !== undefined) return running;
    const at = this.#now();
    const search = searchBelow(root, this.#limits).then((findings) => {
      this.#known.set(root, { at, findings });
      this.#searches.delete(root);
      return findings;
    });
    this.#searches.set(root, search);
    return search;
  }
}

const freshMs = 5_000;
const usableMs = 60_000;

/** Directories managed by other tools, without user work. */
const skipped = new Set(["node_modules"]);
/** Directories read in a row before other work gets a turn. */
const stretch = 64;

async function searchBelow(root: string, limits: SearchLimits): Promise<NestedFindings> {
  const findings: NestedFindings = { paths: [], complete: true };
  let level = [root];
  let directories = 0;
  let entries = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.depth) return { ...findings, complete: false };
    const next: string[] = [];
    for (const directory of level) {
      const content = readDirectory(directory);
      entries += content.length;
      if (++directories > limits.directories || entries > limits.entries) {
        return { ...findings, complete: false };
      }
      if (directories % stretch === 0) await nextTurn();
      for (const entry of content) {
        const path = join(directory, entry.name);
        if (protectedNames.includes(entry.name)) {
          if (depth > 0) findings.paths.push(path);
        } else if (entry.isDirectory() && !skipped.has(entry.name)) {
          next.push(path);
        }
      }
    }
    level = next;
  }
  return findings;
}

function readDirectory(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
