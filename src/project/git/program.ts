import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";

/**
 * Finds the git program in `PATH`, outside folders that must not supply it.
 *
 * What lies in the project, or where commands may write, may have been put there by the model or by
 * whoever wrote the project, and we start git without asking.
 */
export async function findGit(
  searchPath: string | undefined,
  avoid: readonly string[],
): Promise<string | undefined> {
  const avoided = await Promise.all(avoid.map((path) => realpath(path).catch(() => path)));
  const isAvoided = (path: string) => avoided.some((folder) => isInside(path, folder));
  for (const folder of (searchPath ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = await realpath(join(folder, programName)).catch(() => undefined);
    if (program === undefined || isAvoided(program) || isAvoided(folder)) continue;
    // Started under its own name: what a link leads to may ask by which name it was called.
    if (await isProgram(program)) return join(folder, programName);
  }
  return undefined;
}

const programName = process.platform === "win32" ? "git.exe" : "git";

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
