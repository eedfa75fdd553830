import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { foldersUp } from "../../lib/folders-up.js";
import { realPath } from "../../lib/real-path.js";

// A session begins with these lookups, and a dozen of them take less time this way than one
// that is not synchronous.

/**
 * The main work tree of the repository around a folder, for which the user decides about trust.
 *
 * A linked work tree counts only when the repository knows it: a folder from elsewhere could name a
 * repository that the user trusts, and would be trusted with it.
 */
export function mainWorkTree(cwd: string): string | undefined {
  for (const folder of foldersUp(cwd)) {
    const git = join(folder, ".git");
    const stats = lstatSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory() && existsSync(join(git, "HEAD"))) return realPath(folder);
    if (stats?.isFile()) return mainOfLinked(git);
  }
  return undefined;
}

function mainOfLinked(gitFile: string): string | undefined {
  const link = /^gitdir:\s*(.+?)\s*$/m.exec(readIfThere(gitFile))?.[1];
  if (link === undefined) return undefined;
  const gitDir = resolve(dirname(gitFile), link);
  const back = readIfThere(join(gitDir, "gitdir")).trim();
  if (back === "" || realPath(resolve(gitDir, back)) !== realPath(gitFile)) return undefined;
  const common = readIfThere(join(gitDir, "commondir")).trim() || "../..";
  const main = realPath(isAbsolute(common) ? common : join(gitDir, common));
  // What tells of the link must lie in the repository itself: the folder could bring its own.
  if (realPath(dirname(gitDir)) !== realPath(join(main, "worktrees"))) return undefined;
  return basename(main) === ".git" ? dirname(main) : main;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
