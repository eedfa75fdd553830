import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { randomUuid } from "../lib/ids.js";
import { nameSelf, readHolderName, stateOfHolder } from "../lib/lock-holder.js";
import { findRepository } from "./git/repository.js";
import { type Git, type GitPlace, withGit } from "./git/with-git.js";
import { branchPrefix, listWorktrees, removeWorktree, stateOf, type Worktree } from "./worktree.js";

/** State of a worktree of a session. */
export interface KeptWorktree extends Worktree {
  name: string;
  /** A session of another process works in it. */
  isUsed: boolean;
  /** It has changes that are not committed. */
  isDirty: boolean;
  /** It has commits that no other branch has. */
  isAhead: boolean;
  /** Reason why its state could not be read. */
  problem?: string;
}

/** Lists the worktrees in a home with their states. */
export async function readWorktrees(place: Omit<GitPlace, "cwd">): Promise<KeptWorktree[]> {
  const found: KeptWorktree[] = [];
  for (const worktree of await listWorktrees(place.home)) {
    found.push(await readWorktree(worktree, { ...place, cwd: worktree.path }));
  }
  return found;
}

/** Reads the state of a worktree. */
export async function readWorktree(worktree: Worktree, place: GitPlace): Promise<KeptWorktree> {
  const own = { ...worktree, name: basename(worktree.path), isUsed: isUsed(worktree) };
  try {
    const { isDirty, head } = await stateOf(worktree, place);
    return { ...own, isDirty, isAhead: !(await isElsewhere(worktree, head, place)) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...own, isDirty: true, isAhead: true, problem };
  }
}

/** Returns true if another branch, or another worktree, has a commit. */
async function isElsewhere({ branch, path }: Worktree, head: string, place: GitPlace) {
  const repository = findRepository(path);
  const refs = await withGit({ ...place, cwd: path }, (git) => branchesWith(git, head));
  if (refs?.some((ref) => ref !== `refs/heads/${branch}`)) return true;
  // The main work tree may have a detached HEAD.
  return repository !== undefined && readText(join(repository.commonDir, "HEAD")) === head;
}

/** Removes a worktree; one with work, or in use, only if `force` is set. Throws with the reason. */
export async function removeKept(
  worktree: KeptWorktree,
  place: Omit<GitPlace, "cwd">,
  { force = false }: { force?: boolean } = {},
): Promise<void> {
  const reason = worktree.isUsed ? "a session works in it" : workOf(worktree);
  if (reason !== undefined && (!force || worktree.isUsed)) {
    throw new Error(`${worktree.name} stays: ${reason}`);
  }
  const at = { ...place, cwd: worktree.path };
  const { head } = await stateOf(worktree, at).catch(() => ({ head: "" }));
  const first = branchPrefix + worktree.name;
  // It was created with a branch, and switched to another one.
  if (worktree.branch !== first) {
    await withGit(at, (git) => removeBranch(git, `refs/heads/${first}`));
  }
  await removeWorktree({ ...worktree, base: head, cwd: worktree.path }, at, head !== "");
}

/** Returns the work in a worktree that would be lost. */
export function workOf({ isDirty, isAhead, problem }: KeptWorktree): string | undefined {
  if (problem !== undefined) return problem;
  if (isDirty) return "it has changes that are not committed";
  return isAhead ? "it has commits that no other branch has" : undefined;
}

/** Marks a worktree as used by this process; returns a function that ends it. */
export function useWorktree({ path }: Pick<Worktree, "path">): () => void {
  const gitDir = findRepository(path)?.gitDir;
  if (gitDir === undefined || basename(dirname(gitDir)) !== "worktrees") return () => {};
  const file = join(gitDir, `${userFile}-${randomUuid()}`);
  try {
    writeFileSync(file, nameSelf());
  } catch {
    return () => {}; // a repository that cannot be written
  }
  return () => rmSync(file, { force: true });
}

function isUsed({ path }: Worktree): boolean {
  const gitDir = findRepository(path)?.gitDir;
  if (gitDir === undefined) return false;
  return namesIn(gitDir).some((name) => {
    if (!name.startsWith(userFile)) return false;
    const holder = readText(join(gitDir, name));
    const { pid, host } = readHolderName(holder);
    const isSelf = pid === process.pid && host === hostname();
    return !isSelf && ["running", "elsewhere"].includes(stateOfHolder(holder));
  });
}

const userFile = "quire-session";

/**
 * Removes what a repository lists of worktrees in the home whose folders were deleted by hand, and their
 * branches without commits of their own; returns the paths.
 */
export async function removeDeleted(
  place: GitPlace,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<string[]> {
  const removed = await withGit(place, async (git, { commonDir }) => {
    const paths: string[] = [];
    const registry = join(commonDir, "worktrees");
    for (const name of namesIn(registry)) {
      const entry = join(registry, name);
      const path = dirname(readText(join(entry, "gitdir")));
      if (!path.startsWith(`${join(place.home, "worktrees")}/`) || existsSync(path)) continue;
      const head = readText(join(entry, "HEAD"));
      const isDetached = !head.startsWith("ref: ");
      // Its commits would be lost with the entry.
      if (isDetached && (await branchesWith(git, head)).length === 0) continue;
      paths.push(path);
      if (isDryRun) continue;
      const own = `refs/heads/${branchPrefix}${basename(path)}`;
      await removeBranch(git, isDetached ? own : head.slice("ref: ".length));
      rmSync(entry, { recursive: true, force: true });
    }
    return paths;
  });
  return removed ?? [];
}

/** Removes a branch of a worktree, unless it has commits that no other branch has. */
async function removeBranch(git: Git, ref: string): Promise<void> {
  if (!ref.startsWith(`refs/heads/${branchPrefix}`)) return;
  const refs = await branchesWith(git, ref);
  if (refs.some((one) => one !== ref)) await git(["update-ref", "-d", ref]);
}

/** Returns the branches that contain a commit. */
async function branchesWith(git: Git, commit: string): Promise<string[]> {
  const where = ["--contains", commit, "refs/heads", "refs/remotes"];
  const output = await git(["for-each-ref", "--format=%(refname)", ...where]);
  const text = output?.code === 0 ? output.stdout.toString().trim() : "";
  return text === "" ? [] : text.split("\n");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is none
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
