import { dirname } from "node:path";
import { entryAt, isWithin } from "./paths.js";
import {
  addProtection,
  firstMissing,
  noProtection,
  type Protection,
  protectionOf,
  withinRoots,
} from "./protected-paths.js";
import type { Root } from "./writable-roots.js";

/** What a command may write, in real paths and down to the last exception. */
export interface Confinement {
  roots: ConfinedRoot[];
  /** Paths in the roots that stay as they are. */
  readOnly: string[];
  /** Paths in the roots that must not come to be. */
  absent: string[];
  /** Directories between a root and one of those, which must not be moved away. */
  pins: string[];
  warnings: string[];
  /** Why nothing can be run at all. */
  refusal?: string;
}

/** A root and the protected paths that were found in it. */
export interface ConfinedRoot extends Root {
  readOnly: string[];
}

/** What a confinement is made from. */
export interface ConfinementSources {
  roots: readonly Root[];
  /** Protected names found deeper in the roots. */
  nested: readonly string[];
  /** Further paths that stay read-only, such as the agent's own directory. */
  keep: readonly string[];
}

/** Works out what is writable, what is not, and what stands in the way of saying so. */
export function confine({ roots, nested, keep }: ConfinementSources): Confinement {
  const protections = new Map(roots.map((root) => [root, protectionOf(root.path)]));
  const { usable, warnings, refusal } = withoutLinks(protections);
  const paths = usable.map(({ path }) => path);
  const found = noProtection();
  for (const root of usable) merge(found, protections.get(root));
  for (const path of withinRoots(nested, paths)) addProtection(found, path);
  for (const path of keep) addProtection(found, firstMissing(path) ?? path);
  for (const link of withinRoots(found.links, paths)) {
    warnings.push(`Not protected: ${link} is a symbolic link.`);
  }
  const readOnly = unique(withinRoots(found.existing, paths));
  const kept = usable.filter((root) => root.origin !== "tmpdir" || !isUnder(root.path, readOnly));
  const keptPaths = kept.map(({ path }) => path);
  const absent = unique(withinRoots([...found.absent, ...found.empty], keptPaths)).filter((path) =>
    isWritable(path, keptPaths, readOnly),
  );
  return {
    roots: kept.map((root) => ({ ...root, readOnly: ownPaths(protections.get(root), keptPaths) })),
    readOnly: readOnly.filter((path) => !keptPaths.includes(path)),
    absent,
    pins: pinsFor([...readOnly, ...absent], keptPaths, readOnly),
    warnings,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** Whether the innermost root or exception that holds a path is a root. */
export function isWritable(
  path: string,
  roots: readonly string[],
  readOnly: readonly string[],
): boolean {
  const root = innermost(path, roots);
  const exception = innermost(path, readOnly);
  return root !== undefined && (exception === undefined || root.length >= exception.length);
}

/** A link in place of a protected name takes its root with it, or ends everything. */
function withoutLinks(protections: ReadonlyMap<Root, Protection>) {
  const usable: Root[] = [];
  const warnings: string[] = [];
  let refusal: string | undefined;
  for (const [root, { links }] of protections) {
    const [link] = links;
    if (link === undefined) {
      usable.push(root);
    } else if (root.origin === "policy" || root.origin === "cwd") {
      refusal ??= `${link} is a symbolic link, so it cannot be protected from the command. Replace it by what it points to, or move it out of ${root.path}.`;
    } else {
      warnings.push(`Not writable: ${root.path}, because ${link} is a symbolic link.`);
    }
  }
  return { usable, warnings, refusal };
}

function merge(into: Protection, from: Protection | undefined): void {
  into.existing.push(...(from?.existing ?? []));
  into.absent.push(...(from?.absent ?? []));
  into.empty.push(...(from?.empty ?? []));
}

function ownPaths(protection: Protection | undefined, roots: readonly string[]): string[] {
  return unique(
    withinRoots([...(protection?.existing ?? []), ...(protection?.empty ?? [])], roots),
  );
}

function pinsFor(paths: readonly string[], roots: readonly string[], readOnly: readonly string[]) {
  const pins = new Set<string>();
  for (const path of paths) {
    const outermost = roots.filter((root) => isWithin(path, root)).sort(byLength)[0];
    if (outermost === undefined) continue;
    let directory = dirname(path);
    for (
      ;
      directory !== outermost && isWithin(directory, outermost);
      directory = dirname(directory)
    ) {
      if (!roots.includes(directory) && !isUnder(directory, readOnly)) pins.add(directory);
    }
  }
  return [...pins].filter((path) => entryAt(path)?.isDirectory() === true);
}

function innermost(path: string, directories: readonly string[]): string | undefined {
  return directories
    .filter((directory) => isWithin(path, directory))
    .sort(byLength)
    .at(-1);
}

function isUnder(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isWithin(path, directory));
}

function byLength(left: string, right: string): number {
  return left.length - right.length;
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
