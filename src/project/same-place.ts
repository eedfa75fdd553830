import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { realPath } from "../lib/files.js";
import { findRepository } from "./git/repository.js";
import { repositoryMark } from "./worktree.js";

/** The same folder of a repository in its main work tree and in the worktrees of a home. */
export interface SamePlace {
  /** True if `cwd` is not in a worktree of the home. */
  isMain: boolean;
  /** Returns true for this folder, in any of these work trees; the worktree may be removed by now. */
  includes(folder: string): boolean;
  /** Returns the worktree of the home that a folder is in, if it still exists. */
  worktreeOf(folder: string): string | undefined;
}

/** Returns the places of a folder; undefined if it is in no repository, or the home never had worktrees. */
export function samePlace(cwd: string, home: string): SamePlace | undefined {
  const root = join(realPath(home), "worktrees");
  const repository = existsSync(root) ? findRepository(cwd) : undefined;
  if (repository === undefined) return undefined;
  const own = splitPath(root, cwd);
  const inside = own?.inside ?? relative(repository.workTree, cwd);
  const main = join(dirname(repository.commonDir), inside);
  const mark = repositoryMark(repository);
  return {
    isMain: own === undefined,
    includes(folder) {
      if (folder === cwd || folder === main) return true;
      const other = splitPath(root, folder);
      return other?.repository.endsWith(mark) === true && other.inside === inside;
    },
    worktreeOf(folder) {
      const other = splitPath(root, folder);
      if (other === undefined || !existsSync(folder)) return undefined;
      return join(root, other.repository, other.name);
    },
  };
}

/** Splits the path of a folder in a worktree: `worktrees/REPOSITORY/NAME/inside/it`. */
function splitPath(root: string, folder: string) {
  const [repository = "", name = "", ...inside] = relative(root, realPath(folder)).split(sep);
  const isBelow = repository !== "" && repository !== ".." && name !== "";
  return isBelow ? { repository, name, inside: inside.join(sep) } : undefined;
}
