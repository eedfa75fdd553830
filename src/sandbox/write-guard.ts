import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type Confinement, isWritable } from "./confinement.js";
import { entryAt, innermostOf, realPathOf, realPlaceOf } from "./paths.js";
import { isProtectedName } from "./protected-paths.js";

/** Checks paths right before every write. */
export interface WriteGuard {
  /** Returns the reason that a path must not be written, or `undefined`. */
  check(absolutePath: string): string | undefined;
}

/** A guard that permits everything. */
export const openGuard: WriteGuard = { check: () => undefined };

/** A guard that permits nothing. */
export const readOnlyGuard: WriteGuard = {
  check: (path) => `${path} cannot be written: the sandbox is read-only`,
};

/**
 * Applies the rules of the sandbox to writes of this process.
 *
 * Links are resolved before the comparison, and protected names are refused at any depth and in any
 * spelling that some file system accepts for them.
 */
export function createWriteGuard(confinement: Confinement): WriteGuard {
  const roots = new Set(confinement.roots.map(({ path }) => path));
  const exceptions = new Set([...confinement.readOnly, ...confinement.absent]);
  const checkReal = (path: string): string | undefined => {
    const root = innermostOf(path, roots);
    if (root === undefined) return "it is outside of the writable roots";
    const name = relative(root, path).split(sep).find(isProtectedName);
    if (name !== undefined) return `${name} is protected`;
    return isWritable(path, roots, exceptions) ? undefined : "it is protected";
  };
  return {
    check(path) {
      const places = realPlaces(resolve(path));
      const problem =
        confinement.refusal ??
        (places === undefined ? "it is a dangling link" : firstDefined(places.map(checkReal)));
      return problem === undefined ? undefined : `${path} cannot be written: ${problem}`;
    },
  };
}

/** Returns the paths that a write would affect: the name itself and, for a link, its target. */
function realPlaces(path: string): string[] | undefined {
  const directory = realPlaceOf(dirname(path));
  if (directory === undefined) return undefined;
  const place = join(directory, basename(path));
  if (entryAt(place)?.isSymbolicLink() !== true) return [place];
  const target = realPathOf(place);
  return target === undefined ? undefined : [place, target];
}

function firstDefined(values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined);
}
