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
  const blocked = new Set(blockedBy(confinement, rules));
  const all = new Set([...blocked, ...confinement.absent]);
  const denied = [...blocked].filter((path) => !isCovered(path, all));
  const absent = confinement.absent.filter((path) => !blocked.has(path) && !isCovered(path, all));
  const wanted: Placeholder[] = [
    ...absent.flatMap((path) => standInFor(path, confinement)),
    ...denied.map((path): Placeholder => ({ path, kind: kindOf(path, rules) })),
  ];
  const parents = parentsToHold(
    wanted.map(({ path }) => path),
    placeholders,
  );
  // Patterns such as `**/.*` match the placeholders of protected paths too.
  const matched = absent.filter((path) => rules?.access.of(path).access === "deny");
  rules?.watch?.expect([...denied, ...matched]);
  const states = await placeholders.acquire([
    ...parents.map((path): Placeholder => ({ path, kind: "parent" })),
    ...wanted,
  ]);
  const held = [...states].filter(([, state]) => state === "held").map(([path]) => path);
  rules?.hold(new Map(denied.map((path) => [path, states.get(path) ?? "impossible"])));
  rules?.watch?.add(matched);
  return {
    states: new Map(absent.map((path) => [path, states.get(path) ?? "impossible"])),
    parents: parents.filter((path) => entryAt(path)?.isDirectory() === true),
    release: () => placeholders.release(held),
  };
}

function standInFor(path: string, { placeholders }: Confinement): Placeholder[] {
  if (!placeholders.has(path)) return [{ path, kind: "directory" }];
  const placeholder = placeholders.get(path);
  return placeholder === undefined ? [] : [placeholder];
}

/** Outside of the sandbox everything can be written, so that every missing path can be created. */
function blockedBy({ blocked }: Confinement, rules: RuledFiles | undefined): readonly string[] {
  if (rules?.root !== "write") return blocked;
  return rules.missing.filter((path) => !kernelTrees.some((tree) => isWithin(path, tree)));
}

const kernelTrees = ["/proc", "/sys", "/dev"];

/** Returns true if a path is inside of another one, whose placeholder covers it. */
function isCovered(path: string, all: ReadonlySet<string>): boolean {
  return ancestors(dirname(path)).some((parent) => all.has(parent));
}

/**
 * A file by default: the user can write it at any time, and it stays then. A path with rules for
 * something below it is meant to be a directory.
 */
function kindOf(path: string, rules: RuledFiles | undefined): "directory" | "file" {
  return rules?.isParent(path) === true ? "directory" : "file";
}

/** Returns the parents that are missing, or placeholders of another command, outermost first. */
function parentsToHold(paths: readonly string[], placeholders: Placeholders): string[] {
  const parents = new Set<string>();
  for (const directory of new Set(paths.map((path) => dirname(path)))) {
    for (const parent of ancestors(directory)) {
      if (parents.has(parent)) break;
      if (entryAt(parent) !== undefined && !placeholders.isOurs(parent)) break;
      parents.add(parent);
    }
  }
  return [...parents].sort((left, right) => depthOf(left) - depthOf(right));
}
