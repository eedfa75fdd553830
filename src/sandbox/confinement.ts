import { dirname } from "node:path";
import { protectHome } from "./home-files.js";
import { ancestors, entryAt, innermostOf, outermostOf } from "./paths.js";
import type { Placeholder } from "./placeholders.js";
import {
  addProtection,
  firstMissing,
  noProtection,
  type Protection,
  protectionOf,
} from "./protected-paths.js";
import type { Root } from "./writable-roots.js";

/** Paths that a command may write, as real paths with all exceptions. */
export interface Confinement {
  roots: ConfinedRoot[];
  /** Paths in the roots that stay read-only. */
  readOnly: string[];
  /** Paths in the roots that must not be created. */
  absent: string[];
  /** Missing paths in the roots that rules deny, and that a command could create. */
  blocked: string[];
  /** The user's start-up files among `readOnly` and `absent`. */
  startup: string[];
  /** Paths among `absent` for which an empty directory cannot stand, and what can. */
  placeholders: ReadonlyMap<string, Placeholder | undefined>;
  /** Directories between a root and a protected path, which must not be moved. */
  pins: string[];
  warnings: string[];
  /** Reason to refuse every command. */
  refusal?: string;
}

/** A root and the protected paths found in it. */
export interface ConfinedRoot extends Root {
  readOnly: string[];
}

/** Options for `confine`. */
export interface ConfinementSources {
  roots: readonly Root[];
  /** Protected names found deeper in the roots. */
  nested: readonly string[];
  /** Further paths that stay read-only, such as the agent's own directory. */
  keep: readonly string[];
  /** The user's home directory, whose start-up files stay read-only. */
  userHome?: string | undefined;
  /** Existing paths that commands may neither read nor write. */
  denied?: readonly string[];
  /** Missing paths that commands may neither read nor write. */
  missing?: readonly string[];
}

/** Computes the writable and the protected paths. */
export function confine(sources: ConfinementSources): Confinement {
  const { roots, nested, keep, userHome, denied = [], missing = [] } = sources;
  const protections = new Map(roots.map((root) => [root, protectionOf(root.path)]));
  const { usable, warnings, refusal } = withoutLinks(protections);
  const paths = new Set(usable.map(({ path }) => path));
  const found = noProtection();
  for (const root of usable) merge(found, protections.get(root));
  for (const path of strictlyWithin(nested, paths)) {
    // It may have been removed since it was found.
    if (entryAt(path) !== undefined) addProtection(found, path);
  }
  for (const path of keep) addProtection(found, firstMissing(path) ?? path);
  const home = protectHome(userHome, usable);
  found.existing.push(...home.readOnly);
  warnings.push(...home.warnings);
  for (const link of strictlyWithin(found.links, paths)) {
    warnings.push(`Not protected: ${link} is a symbolic link.`);
  }
  const readOnly = new Set(strictlyWithin(found.existing, paths));
  const kept = usable.filter(
    ({ path, origin }) => origin !== "tmpdir" || !innermostOf(path, readOnly),
  );
  const keptPaths = new Set(kept.map(({ path }) => path));
  const writable = (paths: readonly string[]) =>
    [...new Set(strictlyWithin(paths, keptPaths))].filter((path) =>
      isWritable(path, keptPaths, readOnly),
    );
  const absent = writable([...found.absent, ...found.empty, ...home.missing.keys()]);
  const blocked = writable(missing);
  return {
    roots: kept.map((root) => ({ ...root, readOnly: ownPaths(protections.get(root), keptPaths) })),
    readOnly: [...readOnly].filter((path) => !keptPaths.has(path)),
    absent,
    blocked,
    startup: [...home.readOnly, ...home.missing.keys()],
    placeholders: home.missing,
    pins: pinsFor([...readOnly, ...absent, ...denied, ...blocked], keptPaths, readOnly),
    warnings,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** Returns true if the innermost root or exception that contains a path is a root. */
export function isWritable(
  path: string,
  roots: ReadonlySet<string>,
  readOnly: ReadonlySet<string>,
): boolean {
  const root = innermostOf(path, roots);
  const exception = innermostOf(path, readOnly);
  return root !== undefined && (exception === undefined || root.length >= exception.length);
}

/** A link in place of a protected name disables its root, or refuses every command. */
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

function ownPaths(protection: Protection | undefined, roots: ReadonlySet<string>): string[] {
  const paths = [...(protection?.existing ?? []), ...(protection?.empty ?? [])];
  return [...new Set(strictlyWithin(paths, roots))];
}

/** Returns all directories between a protected path and its outermost root. */
function pinsFor(
  paths: readonly string[],
  roots: ReadonlySet<string>,
  readOnly: ReadonlySet<string>,
): string[] {
  const pins = new Set<string>();
  for (const path of paths) {
    const outermost = outermostOf(path, roots);
    if (outermost === undefined || dirname(path) === outermost) continue;
    for (const directory of ancestors(dirname(path))) {
      if (directory === outermost) break;
      if (!roots.has(directory) && !innermostOf(directory, readOnly)) pins.add(directory);
    }
  }
  return [...pins].filter((path) => entryAt(path)?.isDirectory() === true);
}

/** Returns the paths that are strictly inside one of the roots. */
function strictlyWithin(paths: readonly string[], roots: ReadonlySet<string>): string[] {
  return paths.filter((path) => innermostOf(dirname(path), roots) !== undefined);
}
