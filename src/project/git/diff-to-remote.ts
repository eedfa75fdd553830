import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { closestRemoteCommit } from "./remote-commit.js";
import { type Git, type GitPlace, withGit } from "./with-git.js";

/** What a work tree has that the remote does not. */
export interface DiffToRemote {
  /** The commit the diff starts from: the closest one below the work tree that a remote has. */
  sha: string;
  /** A unified diff to the files as they are now; new files that git does not know yet are in it. */
  diff: string;
}

/** Compares a work tree with what its remotes have, without asking them; nothing when that fails. */
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

/** The user's settings change what a diff looks like; these say it as the protocol shows it. */
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

/** Each new file costs a run of git. */
const maxUntracked = 2_000;
const atOnce = 4;

async function diffOfNew(git: Git, cwd: string, path: string): Promise<Buffer> {
  const stats = await lstat(join(cwd, path)).catch(() => undefined);
  // Not for pipes, which would be waited for, nor for repositories within, which are listed as folders.
  if (!stats?.isFile() && !stats?.isSymbolicLink()) return Buffer.alloc(0);
  const name = path === "-" ? "./-" : path; // a bare dash would be standard input
  const options = [...diffOptions, "--binary", "--no-index", "--"];
  const output = await git(["diff", ...options, "/dev/null", name]);
  return output !== undefined && output.code <= 1 && output.complete
    ? output.stdout
    : Buffer.alloc(0);
}
