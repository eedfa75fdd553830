import { copyFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Repository, readGitFile } from "./repository.js";

/**
 * Creates a git directory of ours that stands for a repository's own; the caller removes it.
 *
 * Its config file is ours, so git never reads the repository's while it works: whatever changes
 * there meanwhile, no program that it names is started. Branches and objects are linked. It lies in
 * `home`, which commands in the sandbox cannot write.
 */
export async function createPinnedDir(
  repository: Repository,
  config: string,
  home: string,
): Promise<string> {
  const folder = join(home, "tmp");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  const dir = await mkdtemp(join(folder, prefix));
  try {
    await writeFile(join(dir, "config"), config);
    await writeFile(join(dir, "HEAD"), headOf(repository));
    await mkdir(join(dir, "info"));
    const { gitDir, commonDir } = repository;
    for (const name of ["refs", "reftable"]) await link(join(commonDir, name), join(dir, name));
    for (const name of ["packed-refs", "shallow", "info/exclude"]) {
      await link(join(commonDir, name), join(dir, name));
    }
    for (const name of ["info/sparse-checkout", ...(await sharedIndexes(gitDir))]) {
      await link(join(gitDir, name), join(dir, name));
    }
  } catch (error) {
    await removePinnedDir(dir);
    throw error;
  }
  return dir;
}

/** Removes a directory of `createPinnedDir`; what it links stays. */
export async function removePinnedDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

function headOf({ gitDir }: Repository): string {
  return readGitFile(join(gitDir, "HEAD")) ?? "ref: refs/heads/main\n";
}

/** The parts of an index that was split, which git looks for beside the config. */
async function sharedIndexes(gitDir: string): Promise<string[]> {
  const names = await readdir(gitDir).catch(() => []);
  return names.filter((name) => name.startsWith("sharedindex."));
}

async function link(target: string, path: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return;
  try {
    await symlink(target, path, found.isDirectory() ? "junction" : "file");
  } catch (error) {
    // Windows lets not everyone link a file.
    if (found.isDirectory()) throw error;
    await copyFile(target, path);
  }
}

/** A process that was killed leaves its directory behind. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > leftoverMs;
    if (isOld) await removePinnedDir(join(folder, name));
  }
}

const prefix = "git-";
const leftoverMs = 60 * 60 * 1000;
