import { existsSync } from "node:fs";
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
    if (hasAny(folder, markers)) return passed;
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

/** Looks at once: that takes less than to have it done, and so much less than an error for each miss. */
function hasAny(folder: string, names: readonly string[]): boolean {
  return names.some((name) => name !== "" && existsSync(join(folder, name)));
}
