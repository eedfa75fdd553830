import { lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** Whether `path` is `directory` or lies below it, compared by whole names. */
export function isWithin(path: string, directory: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** The nearest of these directories that is a path or holds it. */
export function innermostOf(path: string, directories: ReadonlySet<string>): string | undefined {
  return ancestors(path).find((ancestor) => directories.has(ancestor));
}

/** The farthest of these directories that is a path or holds it. */
export function outermostOf(path: string, directories: ReadonlySet<string>): string | undefined {
  return ancestors(path).findLast((ancestor) => directories.has(ancestor));
}

/** A path and all directories that hold it, the nearest first. */
export function ancestors(path: string): string[] {
  const found = [path];
  for (let at = path; dirname(at) !== at; ) {
    at = dirname(at);
    found.push(at);
  }
  return found;
}

/** How many names a path has; the fewer, the shallower. */
export function depthOf(path: string): number {
  return path.split(sep).filter((name) => name !== "").length;
}

/** What is at a path, without following a link there; nothing when nothing is, or can be seen. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The real path of something that exists. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Where a path leads whose last parts may not exist yet; nothing when a link to nowhere is in it. */
export function realPlaceOf(path: string): string | undefined {
  const real = realPathOf(path);
  if (real !== undefined || dirname(path) === path) return real;
  const parent = realPlaceOf(dirname(path));
  if (parent === undefined) return undefined;
  const place = join(parent, basename(path));
  return entryAt(place) === undefined ? place : undefined;
}

/** The system's short name of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Real paths, each looked up once.
 *
 * A command may be able to turn a link that a root was given by; what it pointed to when the user
 * gave it is what stays meant.
 */
export class RealPaths {
  readonly #known = new Map<string, string>();

  /** The real path of something that exists; nothing when it does not, or no longer. */
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
