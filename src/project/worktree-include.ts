import { constants, existsSync, lstatSync } from "node:fs";
import { copyFile, mkdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findRepository } from "./git/repository.js";
import { type GitPlace, withGit } from "./git/with-git.js";

/**
 * Copies the untracked files that `.worktreeinclude` of a repository lists, with the patterns of
 * `.gitignore`, to a worktree. Files that exist there stay, and so do files that rules deny: a copy
 * would be another name for them.
 *
 * Returns the number of copied files.
 */
export async function copyIncluded(
  place: GitPlace,
  worktree: string,
  isDenied: (path: string) => boolean,
): Promise<number> {
  const root = findRepository(place.cwd)?.workTree;
  const list = root && join(root, listName);
  if (root === undefined || list === undefined || !existsSync(list)) return 0;
  const args = ["ls-files", "-z", "--others", "--ignored", `--exclude-from=${list}`];
  const output = await withGit({ ...place, cwd: root }, (git) => git(args, { timeoutMs: 60_000 }));
  if (output?.code !== 0) throw new Error(`${list} could not be applied`);
  let copied = 0;
  for (const name of output.stdout.toString().split("\0")) {
    if (name === "" || name.endsWith("/") || isDenied(join(root, name))) continue;
    if (await copy(join(root, name), join(worktree, name))) copied++;
  }
  return copied;
}

const listName = ".worktreeinclude";

/** Returns true if a repository lists files to copy. */
export function hasIncluded({ cwd }: Pick<GitPlace, "cwd">): boolean {
  const root = findRepository(cwd)?.workTree;
  return root !== undefined && existsSync(join(root, listName));
}

async function copy(from: string, to: string): Promise<boolean> {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined || lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  await mkdir(dirname(to), { recursive: true });
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
  else return false;
  return true;
}
