import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type TemporaryFolder, temporaryFolder } from "../temporary-folder.js";

/** A repository with one commit, in the folder `repo`. */
export interface TestRepository extends AsyncDisposable {
  folder: TemporaryFolder;
  path: string;
  git(...args: string[]): Promise<string>;
  commit(message: string): Promise<string>;
}

/** Creates a repository with the real git. */
export async function makeRepository(): Promise<TestRepository> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "repo");
  await mkdir(path);
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    return (await promisify(execFile)("git", [...identity, ...args], { cwd: path })).stdout.trim();
  };
  const commit = async (message: string) => {
    await git("add", ".");
    await git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  await git("init", "-q", "-b", "main");
  await folder.write({ "repo/a.txt": "alpha\nbeta\ngamma\n" });
  await commit("Begin");
  return { folder, path, git, commit, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Adds a remote that has all commits of the branch. */
export async function addRemote({ git }: TestRepository): Promise<void> {
  await git("init", "-q", "--bare", "../remote.git");
  await git("remote", "add", "origin", "../remote.git");
  await git("push", "-q", "origin", "main");
}
