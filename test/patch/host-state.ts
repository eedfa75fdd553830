import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns everything below a folder, by path: type, mode, and contents of files and links. Only the
 * mode bits in `mask` are included; others of new files depend on the user that runs the test.
 */
export async function hostState(folder: string, mask = 0o7777): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    const stats = await lstat(path);
    const mode = (stats.mode & mask).toString(8);
    if (stats.isDirectory()) state[name] = `folder ${mode}`;
    else if (stats.isSymbolicLink()) state[name] = `link to ${await readlink(path)}`;
    else if (stats.isFile()) state[name] = `file ${mode} ${await readFile(path, "latin1")}`;
    else state[name] = `special ${mode}`;
  }
  return state;
}
