import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { findRepository, type Repository, readGitFile } from "./repository.js";

/**
 * The folder whose trust decision covers `cwd`: the main work tree of the repository around it.
 *
 * Nothing outside a repository. A folder can claim to belong to any repository, trusted ones too; it
 * counts as a work tree of it only when that repository says so as well, else it is its own root.
 */
export async function readTrustRoot(cwd: string): Promise<string | undefined> {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const { workTree, gitDir, commonDir } = repository;
  if (gitDir === commonDir || !(await isAcknowledged(repository))) return realpath(workTree);
  const common = await realpath(commonDir);
  return basename(common) === ".git" ? dirname(common) : common;
}

/** The repository keeps, for each linked work tree, where that one's `.git` file is. */
async function isAcknowledged({ workTree, gitDir, commonDir }: Repository): Promise<boolean> {
  const back = readGitFile(join(gitDir, "gitdir"))?.trim();
  if (!back) return false;
  try {
    const [named, own] = await Promise.all([
      realpath(resolve(gitDir, back)),
      realpath(join(workTree, ".git")),
    ]);
    const [parent, expected] = await Promise.all([
      realpath(dirname(gitDir)),
      realpath(join(commonDir, "worktrees")),
    ]);
    return named === own && parent === expected;
  } catch {
    return false;
  }
}
