import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type SkillRoot, walkSkillFolders } from "../../project/index.js";

/** What to watch for changes of skills. */
export interface WatchedFolders {
  /** Folders of skills; anything that changes in them counts. */
  whole: ReadonlySet<string>;
  /** Folders in which one may appear, with the names that it would have. */
  awaited: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The folders of skills with those below, and where one that is not there would appear. */
export async function watchedFolders(roots: readonly SkillRoot[]): Promise<WatchedFolders> {
  const whole = new Set<string>();
  const awaited = new Map<string, Set<string>>();
  for (const root of roots) {
    const [parent, name] = [dirname(root.path), basename(root.path)];
    if (existsSync(root.path)) await addBelow(root, whole);
    else if (existsSync(parent)) awaited.set(parent, (awaited.get(parent) ?? new Set()).add(name));
  }
  return { whole, awaited };
}

async function addBelow(root: SkillRoot, folders: Set<string>): Promise<void> {
  for await (const { folder } of walkSkillFolders(root)) {
    if (folders.size >= mostFolders) return;
    folders.add(folder);
  }
}

/** The system has only so many watches for all programs of a user. */
const mostFolders = 512;
