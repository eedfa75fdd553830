import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder itself, then the one it is in, and so on to the top. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

/** The folders from the top of the project around `folder` down to it; only itself outside of one. */
export function projectFolders(folder: string, markers: readonly string[]): string[] {
  return foldersSinceMarker(folder, markers) ?? [folder];
}

/**
 * The folders from the nearest one that has any of `markers` down to `folder`; nothing without one.
 *
 * Looks at once: that takes less than to have it done, and so much less than an error for each miss.
 */
export function foldersSinceMarker(
  folder: string,
  markers: readonly string[],
): string[] | undefined {
  const passed: string[] = [];
  for (const at of foldersUp(folder)) {
    passed.unshift(at);
    if (markers.some((name) => name !== "" && existsSync(join(at, name)))) return passed;
  }
  return undefined;
}
