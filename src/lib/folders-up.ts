import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

// Looks are synchronous: that takes less than to have them done, and so much less than an error
// for each miss.

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

/** The folders from the nearest one that has any of `markers` down to `folder`; nothing without one. */
export function foldersSinceMarker(
  folder: string,
  markers: readonly string[],
): string[] | undefined {
  return foldersSince(folder, (at) => markers.some((name) => hasMarker(at, name)));
}

/** The folders from the nearest one that `isTop` takes down to `folder`; nothing without one. */
export function foldersSince(
  folder: string,
  isTop: (folder: string) => boolean,
): string[] | undefined {
  const passed: string[] = [];
  for (const at of foldersUp(folder)) {
    passed.unshift(at);
    if (isTop(at)) return passed;
  }
  return undefined;
}

/**
 * Whether a folder has something by which the top of a project is known.
 *
 * A folder `.git` must be a repository's: a sandbox that was killed can leave an empty one behind,
 * and all below it would be one project. A file `.git` belongs to a linked work tree.
 */
export function hasMarker(folder: string, name: string): boolean {
  const path = join(folder, name);
  if (name === "" || !existsSync(path)) return false;
  if (name !== ".git" || existsSync(join(path, "HEAD"))) return true;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}
