import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";

/**
 * Finds the git program in `PATH`, outside a folder that must not supply it.
 *
 * What lies in the project may have been put there by the model or by whoever wrote the project, and
 * we start git without asking.
 */
export async function findGit(
  searchPath: string | undefined,
  avoid: string,
): Promise<string | undefined> {
  const avoided = await realpath(avoid).catch(() => avoid);
  for (const folder of (searchPath ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = await realpath(join(folder, programName)).catch(() => undefined);
    if (program === undefined || isInside(program, avoided) || isInside(folder, avoided)) continue;
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
