import { type GitPlace, withGit } from "./with-git.js";

/** A commit in a list to choose from. */
export interface CommitSummary {
  sha: string;
  /** Commit time in Unix seconds. */
  timestamp: number;
  /** First line of the message. */
  subject: string;
}

/**
 * Returns the newest commits of HEAD, newest first; empty without a repository.
 *
 * Used only by the conformance suites.
 */
export async function readRecentCommits(place: GitPlace, limit: number): Promise<CommitSummary[]> {
  const format = "--format=%H%x1f%ct%x1f%s";
  const args = ["log", "-z", "-n", String(limit), format, "HEAD", "--"];
  const output = await withGit(place, (git) => git(args));
  if (output?.code !== 0) return [];
  return output.stdout
    .toString()
    .split("\0")
    .filter(Boolean)
    .map((entry) => {
      const [sha = "", seconds = "", subject = ""] = entry.split("\x1f");
      return { sha, timestamp: Number(seconds), subject };
    });
}
