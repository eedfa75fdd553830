import { access } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The files and folders by which a project's root is known when the config names none. */
export const defaultRootMarkers: readonly string[] = [".git"];

/** The folders from the project's root down to `cwd`; without a root above it, `cwd` alone. */
export async function projectFolders(
  cwd: string,
  markers: readonly string[] = defaultRootMarkers,
): Promise<string[]> {
  const passed: string[] = [];
  for (const folder of foldersUpFrom(cwd)) {
    passed.unshift(folder);
    if (await hasAny(folder, markers)) return passed;
  }
  return [cwd];
}

/** The folder itself, then the one it is in, and so on to the top. */
export function* foldersUpFrom(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

async function hasAny(folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    if (name === "") continue;
    const found = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
