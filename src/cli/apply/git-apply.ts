import { type GitPlace, withGit } from "../../project/index.js";
import { CodexError } from "../../protocol/error.js";

/** Output of git for a diff, and the outcome of applying it. */
export interface GitApplied {
  isApplied: boolean;
  output: string;
}

/** Applies a diff to the repository around a folder, merging where lines have moved. */
export async function gitApply(diff: string, place: GitPlace): Promise<GitApplied> {
  const input = diff.endsWith("\n") ? diff : `${diff}\n`;
  const options = { input, withErrors: true, timeoutMs: 120_000 };
  const applied = await withGit(place, async (git, { workTree }) => {
    const result = await git(["-C", workTree, "apply", "--3way", "-"], options);
    return { result };
  });
  if (applied === undefined) {
    const problem = `${place.cwd} is in no git repository, or there is no git, which apply needs`;
    throw new CodexError("invalid_request", problem);
  }
  const { result } = applied;
  const output = result?.stdout.toString() ?? "git was ended, or took longer than two minutes\n";
  return { isApplied: result?.code === 0 && result.complete, output };
}
