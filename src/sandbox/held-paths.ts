import { dirname } from "node:path";
import type { Confinement } from "./confinement.js";
import { ancestors, depthOf, entryAt, isWithin } from "./paths.js";
import type { Placeholder, PlaceholderState, Placeholders } from "./placeholders.js";
import type { RuledFiles } from "./rules/rule-files.js";

/** Paths that a command cannot create while placeholders stand for them. */
export interface HeldPaths {
  /** States of the protected paths that were missing. */
  states: ReadonlyMap<string, PlaceholderState>;
  /** Directories that were created for placeholders, and must not be moved. */
  parents: string[];
  release(): Promise<void>;
}

/**
 * Puts placeholders at the missing paths that a command must not create, and masks those that rules
 * deny. A missing parent is created with them, because only an existing file can be mounted on; a
 * command can use such a directory, and then it stays.
 */
export async function holdPaths(
  placeholders: Placeholders,
  confinement: Confinement,
  rules: RuledFiles | undefined,
): Promise<HeldPaths> {
  const denied = uncovered(blockedBy(confinement, rules), confinement.absent);
  const wanted: Placeholder[] = [
    ...confinement.absent.map((path): Placeholder => ({ path, kind: "directory" })),
    ...denied.map((path): Placeholder => ({ path, kind: kindOf(path, rules) })),
  ];
  const parents = missingParents(wanted.map(({ path }) => path));
  rules?.watch?.remove(denied);
  const states = await placeholders.acquire([
    ...parents.map((path): Placeholder => ({ path, kind: "parent" })),
    ...wanted,
  ]);
  const held = [...states].filter(([, state]) => state === "held").map(([path]) => path);
  rules?.hold(new Map(denied.map((path) => [path, states.get(path) ?? "impossible"])));
  return {
    states: new Map([...states].filter(([path]) => confinement.absent.includes(path))),
    parents: parents.filter((path) => entryAt(path)?.isDirectory() === true),
    release: () => placeholders.release(held),
  };
}

/** Outside of the sandbox everything can be written, so that every missing path can be created. */
function blockedBy({ blocked }: Confinement, rules: RuledFiles | undefined): readonly string[] {
  if (rules?.root !== "write") return blocked;
  return rules.missing.filter((path) => !kernelTrees.some((tree) => isWithin(path, tree)));
}

const kernelTrees = ["/proc", "/sys", "/dev"];

/** Returns the paths that are not inside of another one, which a placeholder covers. */
function uncovered(paths: readonly string[], others: readonly string[]): string[] {
  const all = new Set([...paths, ...others]);
  return paths.filter((path) => !ancestors(dirname(path)).some((parent) => all.has(parent)));
}

/**
 * A file by default: the user can write it at any time, and it stays then. A path with rules for
 * something below it is meant to be a directory.
 */
function kindOf(path: string, rules: RuledFiles | undefined): "directory" | "file" {
  const isParent = rules?.access.paths.some((one) => one.path !== path && isWithin(one.path, path));
  return isParent ? "directory" : "file";
}

function missingParents(paths: readonly string[]): string[] {
  const parents = new Set(paths.flatMap((path) => ancestors(dirname(path))));
  return [...parents]
    .filter((path) => entryAt(path) === undefined)
    .sort((left, right) => depthOf(left) - depthOf(right));
}
