import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type Git, type GitPlace, withGit } from "./with-git.js";

/** Changes of a work tree that no remote has. */
export interface DiffToRemote {
  /** Base commit: the closest ancestor that a remote has. */
  sha: string;
  /** Unified diff to the current files, including untracked ones. */
  diff: string;
}

/** Compares a work tree with its remotes as last fetched; undefined if that fails. */
export async function readDiffToRemote(place: GitPlace): Promise<DiffToRemote | undefined> {
  return withGit(place, (git) => diffToRemote(git, place.cwd));
}

async function diffToRemote(git: Git, cwd: string): Promise<DiffToRemote | undefined> {
  const sha = await closestRemoteCommit(git);
  if (sha === undefined) return undefined;
  const tracked = await git(["diff", ...diffOptions, "--ignore-submodules=dirty", sha, "--"]);
  if (tracked === undefined || tracked.code > 1 || !tracked.complete) return undefined;
  const added = await diffOfUntracked(git, cwd, maxDiffBytes - tracked.stdout.length);
  if (added === undefined) return undefined;
  return { sha, diff: Buffer.concat([tracked.stdout, ...added]).toString() };
}

const maxDiffBytes = 32 * 1024 * 1024;

/** Overrides user settings that change the format of diffs. */
const diffOptions = [
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-relative",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

async function diffOfUntracked(
  git: Git,
  cwd: string,
  maxBytes: number,
): Promise<Buffer[] | undefined> {
  const listed = await git(["ls-files", "--others", "--exclude-standard", "-z"]);
  if (listed === undefined || listed.code !== 0 || !listed.complete) return undefined;
  const paths = listed.stdout.toString().split("\0").filter(Boolean);
  if (paths.length > maxUntracked) return undefined;
  const diffs: Buffer[] = [];
  let left = maxBytes;
  for (let at = 0; at < paths.length; at += atOnce) {
    const batch = paths.slice(at, at + atOnce);
    for (const diff of await Promise.all(batch.map((path) => diffOfNew(git, cwd, path)))) {
      left -= diff.length;
      diffs.push(diff);
    }
    if (left < 0) return undefined;
  }
  return diffs;
}

/** Each new file takes one run of git. */
const maxUntracked = 2_000;
const atOnce = 4;

async function diffOfNew(git: Git, cwd: string, path: string): Promise<Buffer> {
  const stats = await lstat(join(cwd, path)).catch(() => undefined);
  // Skips pipes, which would block, and nested repositories, which are listed as folders.
  if (!stats?.isFile() && !stats?.isSymbolicLink()) return Buffer.alloc(0);
  const name = path === "-" ? "./-" : path; // a bare dash would be standard input
  const options = [...diffOptions, "--binary", "--no-index", "--"];
  const output = await git(["diff", ...options, "/dev/null", name]);
  return output !== undefined && output.code <= 1 && output.complete
    ? output.stdout
    : Buffer.alloc(0);
}

/**
 * Returns the commit closest to HEAD that some remote is known to have.
 *
 * Considers the remote's version of the current branch, the default branch, and every remote branch
 * that contains HEAD.
 */
async function closestRemoteCommit(git: Git): Promise<string | undefined> {
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

/** Sorts `origin` first, the usual remote. */
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

/** Counts the commits of HEAD that are missing in the branch, locally or else on the remote. */
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
