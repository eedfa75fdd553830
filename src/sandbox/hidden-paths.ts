import { dirname } from "node:path";
import { entryAt, realPathOf } from "./paths.js";

/** Paths that commands must not read, by what is there. */
export interface HiddenPaths {
  files: string[];
  directories: string[];
  /** Not there yet; their directories are. */
  absent: string[];
}

/** Looks for the paths to hide where they really are. */
export function findHidden(paths: readonly string[]): HiddenPaths {
  const found: HiddenPaths = { files: [], directories: [], absent: [] };
  for (const path of new Set(paths)) {
    const real = realPathOf(path);
    if (real === undefined) {
      if (entryAt(dirname(path))?.isDirectory() === true) found.absent.push(path);
    } else if (entryAt(real)?.isDirectory() === true) {
      found.directories.push(real);
    } else {
      found.files.push(real);
    }
  }
  return found;
}
