import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Limits of a walk. */
export interface WalkLimits {
  directories: number;
  entries: number;
  /** Directories below the start; absent: no limit. */
  depth?: number;
}

/** Directories read in a row before other work gets a turn. */
const stretch = 64;

/**
 * Visits everything below directories, breadth-first, without following links. `enter` is called
 * before a directory is read and decides whether it is.
 *
 * Returns false if a limit was reached; `depth` is the caller's choice and not such a limit.
 */
export async function walk(
  starts: readonly string[],
  limits: WalkLimits,
  visit: (path: string, entry: Dirent) => void,
  enter: (directory: string) => boolean = () => true,
): Promise<boolean> {
  let level = [...new Set(starts)];
  const seen = new Set(level);
  let directories = 0;
  let entries = 0;
  for (let depth = 0; level.length > 0 && depth < (limits.depth ?? Infinity); depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (!enter(directory)) continue;
      const content = readDirectory(directory);
      entries += content.length;
      if (++directories > limits.directories || entries > limits.entries) return false;
      if (directories % stretch === 0) await nextTurn();
      for (const entry of content) {
        const path = join(directory, entry.name);
        visit(path, entry);
        if (entry.isDirectory() && !seen.has(path)) next.push(path);
      }
    }
    level = next;
  }
  return true;
}

function readDirectory(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
