import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findRepository, type Repository } from "./git/repository.js";
import { type Git, type GitPlace, withGit } from "./git/with-git.js";

/** A worktree below the home, with the branch that it is on, or was created with if its HEAD is detached. */
export interface Worktree {
  path: string;
  branch: string;
}

/** A worktree that was created, with the commit that it starts from. */
export interface CreatedWorktree extends Worktree {
  base: string;
  /** The same folder in it as that of the place in its repository. */
  cwd: string;
}

/**
 * Creates a worktree of the repository around a folder, in `worktrees` of the home, on a new branch
 * `quire/NAME` at its last commit; a number is added to a name that is taken, unless it must be exact.
 *
 * No program of the repository runs: neither hooks nor filters. Throws if there is no repository or no commit.
 */
export async function createWorktree(
  place: GitPlace,
  name: string,
  { exact = false }: { exact?: boolean } = {},
): Promise<CreatedWorktree> {
  if (!/^[\w-][\w.-]{0,99}$/.test(name) || /\.\.|\.$|\.lock$/.test(name)) {
    throw new Error(
      `Expected a worktree name of at most 100 letters, digits, "_", "-" and "." that git allows for a branch (got "${name}")`,
    );
  }
  const created = await withGit(place, (git, repository) =>
    create(git, repository, place, { wanted: name, most: exact ? 1 : mostNames }),
  );
  if (created === undefined) throw new Error(`${place.cwd} is not in a git repository`);
  try {
    await withGit({ ...place, cwd: created.path }, (git) =>
      run(git, ["read-tree", "--reset", "-u", created.base]),
    );
    return created;
  } catch (error) {
    await removeWorktree(created, place).catch(() => undefined);
    throw error;
  }
}

async function create(
  git: Git,
  repository: Repository,
  { cwd, home }: GitPlace,
  { wanted, most }: { wanted: string; most: number },
): Promise<CreatedWorktree> {
  const base = await run(git, ["rev-parse", "--verify", "HEAD^{commit}"]).catch(() => undefined);
  if (base === undefined)
    throw new Error(`${repository.workTree} has no commit to start from; commit first`);
  const folder = join(home, "worktrees", folderOf(repository));
  const registry = await registryOf(repository);
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    const [path, branch] = [join(folder, name), branchPrefix + name];
    const entry = join(registry, `${basename(folder)}-${name}`);
    if (existsSync(path) || existsSync(entry)) {
      if (count < most) continue;
      throw new Error(`The worktree ${name} exists already: ${path}`);
    }
    // The empty old value refuses a branch that exists.
    const made = await git(["update-ref", `refs/heads/${branch}`, base, ""]);
    if (made?.code !== 0) {
      if (count < most) continue;
      throw new Error(`The branch ${branch} exists already, or could not be created`);
    }
    await mkdir(path, { recursive: true, mode: 0o700 });
    await mkdir(entry, { recursive: true });
    await writeFile(join(entry, "gitdir"), `${join(path, ".git")}\n`);
    await writeFile(join(entry, "commondir"), "../..\n");
    await writeFile(join(entry, "HEAD"), `ref: refs/heads/${branch}\n`);
    await writeFile(join(path, ".git"), `gitdir: ${entry}\n`);
    const inside = (await realpath(cwd)).slice((await realpath(repository.workTree)).length);
    return { path, branch, base, cwd: join(path, inside) };
  }
}

const mostNames = 100;

/** Start of the branches that worktrees are created with. */
export const branchPrefix = "quire/";

/** Name of the folder of a repository: its own, and a part that differs for every path. */
function folderOf(repository: Repository): string {
  const name = basename(repository.workTree).replaceAll(/[^\w.-]/g, "_");
  return `${name}${repositoryMark(repository)}`;
}

/** End of the folder names of a repository, which differs for every repository. */
export function repositoryMark({ commonDir }: Repository): string {
  return `-${createHash("sha256").update(commonDir).digest("hex").slice(0, 8)}`;
}

/** Folder in which a repository lists its worktrees; throws if it leads elsewhere. */
async function registryOf({ commonDir }: Repository): Promise<string> {
  const registry = join(await realpath(commonDir), "worktrees");
  await mkdir(registry, { recursive: true });
  if ((await realpath(registry)) !== registry) throw new Error(`${registry} is a link`);
  return registry;
}

/** Returns true if a worktree has changes, or commits that its start has not. */
export async function hasWork(worktree: CreatedWorktree, place: GitPlace): Promise<boolean> {
  const { isDirty, head } = await stateOf(worktree, place);
  return isDirty || head !== worktree.base;
}

/**
 * Removes a worktree without uncommitted changes; returns false if it has some and stays.
 *
 * The branch stays if it has commits of its own.
 */
export async function removeIfClean(worktree: CreatedWorktree, place: GitPlace): Promise<boolean> {
  const { isDirty, head } = await stateOf(worktree, place);
  if (isDirty) return false;
  await removeWorktree(worktree, place, head === worktree.base);
  return true;
}

/** Returns true if a worktree has changes, and its last commit; throws if it is not a worktree any more. */
export async function stateOf({ path }: Worktree, place: GitPlace) {
  const state = await withGit({ ...place, cwd: path }, async (git) => ({
    isDirty: (await run(git, ["status", "--porcelain", "--untracked-files=all"])) !== "",
    head: await run(git, ["rev-parse", "--verify", "HEAD^{commit}"]),
  }));
  if (state === undefined) throw new Error(`${path} is not a worktree any more`);
  return state;
}

/**
 * Removes a worktree with all that is in it, and its branch if that is at `base`.
 *
 * A branch of the user that it was switched to stays.
 */
export async function removeWorktree(
  { path, branch, base }: CreatedWorktree,
  place: GitPlace,
  withBranch = true,
): Promise<void> {
  const entry = findRepository(path)?.gitDir;
  if (withBranch && branch.startsWith(branchPrefix)) {
    await withGit(place, (git) => git(["update-ref", "-d", `refs/heads/${branch}`, base]));
  }
  if (entry !== undefined && basename(dirname(entry)) === "worktrees") {
    await rm(entry, { recursive: true, force: true });
  }
  await rm(path, { recursive: true, force: true });
}

/** Lists the worktrees in a home. */
export async function listWorktrees(home: string): Promise<Worktree[]> {
  const root = join(home, "worktrees");
  const found: Worktree[] = [];
  for (const folder of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const path = join(root, folder, name);
      const gitDir = findRepository(path)?.gitDir;
      const head = gitDir && (await readFile(join(gitDir, "HEAD"), "utf8").catch(() => ""));
      const branch = /^ref: refs\/heads\/(.+)$/m.exec(head ?? "")?.[1];
      const isDetached = /^[0-9a-f]{40,64}$/m.test(head ?? "");
      if (branch !== undefined) found.push({ path, branch });
      else if (isDetached) found.push({ path, branch: branchPrefix + name });
    }
  }
  return found;
}

/** A checkout of a large repository takes its time. */
const longestMs = 120_000;

async function run(git: Git, args: readonly string[]): Promise<string> {
  const output = await git(args, { timeoutMs: longestMs });
  if (output?.code === 0) return output.stdout.toString().trim();
  const why = output === undefined ? "timed out or did not start" : `exit code ${output.code}`;
  throw new Error(`git ${args[0]} failed: ${why}`);
}
