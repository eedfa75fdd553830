import { lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** Returns true if `path` is `directory` or is below it, compared by whole names. */
export function isWithin(path: string, directory: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** Returns the nearest of these directories that is `path` or contains it. */
export function innermostOf(path: string, directories: ReadonlySet<string>): string | undefined {
  return ancestors(path).find((ancestor) => directories.has(ancestor));
}

/** Returns the farthest of these directories that is `path` or contains it. */
export function outermostOf(path: string, directories: ReadonlySet<string>): string | undefined {
  return ancestors(path).findLast((ancestor) => directories.has(ancestor));
}

/** Returns a path and all of its parents, the nearest first. */
export function ancestors(path: string): string[] {
  const found = [path];
  for (let at = path; dirname(at) !== at; ) {
    at = dirname(at);
    found.push(at);
  }
  return found;
}

/** Counts the components of a path. */
export function depthOf(path: string): number {
  return path.split(sep).filter((name) => name !== "").length;
}

/**
 * Returns the stats of a path without following a final link, or `undefined` if it does not exist
 * or is not visible.
 */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns a text that changes if a path is replaced by another file or directory. */
export function identityOf(path: string): string {
  const entry = entryAt(path);
  return entry === undefined ? missing : `${entry.dev} ${entry.ino} ${entry.birthtimeMs}`;
}

/** Identity of a path that does not exist. */
export const missing = "nothing";

/** Resolves an existing path. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Resolves a path whose last components may not exist yet; returns `undefined` for a dangling link. */
export function realPlaceOf(path: string): string | undefined {
  const real = realPathOf(path);
  if (real !== undefined || dirname(path) === path) return real;
  const parent = realPlaceOf(dirname(path));
  if (parent === undefined) return undefined;
  const place = join(parent, basename(path));
  return entryAt(place) === undefined ? place : undefined;
}

/**
 * Resolves real paths and caches them.
 *
 * A command may be able to change a link that names a root; its target when the user named it stays
 * in effect.
 */
export class RealPaths {
  readonly #known = new Map<string, string>();

  /** Returns the real path, or `undefined` if it does not exist (anymore). */
  of(path: string): string | undefined {
    const known = this.#known.get(path) ?? this.#look(path);
    return known !== undefined && entryAt(known) !== undefined ? known : undefined;
  }

  #look(path: string): string | undefined {
    const real = realPathOf(path);
    if (real !== undefined) this.#known.set(path, real);
    return real;
  }
}

/** Paths that commands must not read, by their state. */
export interface HiddenPaths {
  files: string[];
  directories: string[];
  /** Missing, in an existing directory. */
  absent: string[];
}

/** Resolves the paths to hide. */
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
