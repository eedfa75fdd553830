import type { Git } from "./with-git.js";

/**
 * The commit closest to what is checked out that some remote is known to have.
 *
 * Looked for on the remote's form of the current branch, on that of the default branch, and on every
 * remote branch that has the current commit.
 */
export async function closestRemoteCommit(git: Git): Promise<string | undefined> {
  const remotes = await listRemotes(git);
  let closest: { sha: string; distance: number } | undefined;
  for (const branch of await candidateBranches(git, remotes)) {
    const sha = await remoteCommit(git, branch, remotes);
    if (sha === undefined) continue;
    const distance = await commitsSince(git, branch, sha);
    if (distance === undefined) continue;
    if (closest === undefined || distance < closest.distance) closest = { sha, distance };
  }
  return closest?.sha;
}

/** `origin` first, for that is what most mean by the remote. */
async function listRemotes(git: Git): Promise<string[]> {
  const names = (await lines(git, ["remote"])) ?? [];
  return names.sort((a, b) => Number(b === "origin") - Number(a === "origin"));
}

async function candidateBranches(git: Git, remotes: readonly string[]): Promise<Set<string>> {
  const current = await lines(git, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const branches = new Set(current ?? []);
  const main = await defaultBranch(git, remotes);
  if (main !== undefined) branches.add(main);
  for (const remote of remotes) {
    const prefix = `refs/remotes/${remote}/`;
    const options = ["--format=%(refname)", "--contains=HEAD", prefix];
    for (const ref of (await lines(git, ["for-each-ref", ...options])) ?? []) {
      if (ref.startsWith(prefix) && ref !== `${prefix}HEAD`) branches.add(ref.slice(prefix.length));
    }
  }
  return branches;
}

async function defaultBranch(git: Git, remotes: readonly string[]): Promise<string | undefined> {
  for (const remote of remotes) {
    const prefix = `refs/remotes/${remote}/`;
    const [ref] = (await lines(git, ["symbolic-ref", "--quiet", `${prefix}HEAD`])) ?? [];
    if (ref?.startsWith(prefix)) return ref.slice(prefix.length);
  }
  for (const name of ["main", "master"]) {
    if ((await commitOf(git, `refs/heads/${name}`)) !== undefined) return name;
  }
  return undefined;
}

async function remoteCommit(
  git: Git,
  branch: string,
  remotes: readonly string[],
): Promise<string | undefined> {
  for (const remote of remotes) {
    const sha = await commitOf(git, `refs/remotes/${remote}/${branch}`);
    if (sha !== undefined) return sha;
  }
  return undefined;
}

/** How many commits are checked out that the branch has not, here or else on the remote. */
async function commitsSince(git: Git, branch: string, sha: string): Promise<number | undefined> {
  for (const from of [`refs/heads/${branch}`, sha]) {
    const [count] = (await lines(git, ["rev-list", "--count", `${from}..HEAD`, "--"])) ?? [];
    if (count !== undefined) return Number(count);
  }
  return undefined;
}

async function commitOf(git: Git, ref: string): Promise<string | undefined> {
  return (await lines(git, ["rev-parse", "--verify", "--quiet", ref]))?.[0];
}

async function lines(git: Git, args: readonly string[]): Promise<string[] | undefined> {
  const output = await git(args);
  if (output?.code !== 0 || !output.complete) return undefined;
  return output.stdout.toString().split("\n").filter(Boolean);
}
