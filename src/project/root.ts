import { foldersSinceMarker } from "../lib/folders-up.js";

/** The files and folders by which a project's root is known when the config names none. */
export const defaultRootMarkers: readonly string[] = [".git"];

/** The folders from the project's root down to `cwd`; without a root above it, `cwd` alone. */
export function projectFolders(
  cwd: string,
  markers: readonly string[] = defaultRootMarkers,
): string[] {
  return foldersSinceMarker(cwd, markers) ?? [cwd];
}
