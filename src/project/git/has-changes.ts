import { type GitPlace, openGit } from "./run.js";

/** Whether a work tree differs from its commit, new files counted; nothing when git cannot say. */
export async function readHasChanges(place: GitPlace): Promise<boolean | undefined> {
  const git = await openGit(place);
  const options = ["--porcelain", "-z", "--ignore-submodules=dirty"];
  const output = await git?.(["status", ...options], { maxBytes: 1 });
  return output?.code === 0 ? output.stdout.length > 0 : undefined;
}
