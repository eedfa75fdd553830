import { type GitPlace, withGit } from "./with-git.js";

/** A commit as it is shown in a list to choose from. */
export interface CommitSummary {
  sha: string;
  /** When it was committed, in Unix seconds. */
  timestamp: number;
  /** The first line of its message. */
  subject: string;
}

/**
 * The newest commits of what is checked out, newest first; none where there is no repository.
 *
 * Only the suites ask for it: whoever wants a commit reviewed names it.
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
