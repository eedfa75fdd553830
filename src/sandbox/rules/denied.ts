import type { Stats } from "node:fs";
import { dirname } from "node:path";
import { isPlaceholderFile } from "../../lib/placeholder-file.js";
import type { FileRule } from "../../protocol/permission-rules.js";
import { entryAt, isWithin, realPathOf } from "../paths.js";
import { isEmptyDirectory } from "../placeholders.js";
import type { RuleAccess } from "./access.js";
import { findHardLinks, mountAliases } from "./aliases.js";
import { walk } from "./walk.js";

/** Denied paths by their state, as real paths. */
export interface Denied {
  files: string[];
  directories: string[];
  /** Denied directories with permitted paths inside. */
  open: string[];
  /** Missing ones, which must not become readable when they appear. */
  absent: string[];
  /** Missing ones that a placeholder stands for while a command runs. */
  held: string[];
  /** Links to denied files: they can be replaced, so they are watched. */
  links: string[];
  /** Files in denied directories: the first ones, and all that have other names. */
  inside: { first: string[]; linked: string[] };
  warnings: string[];
}

/** Options for `findDenied`. */
interface DeniedSources {
  access: RuleAccess;
  /** Existing paths that match patterns. */
  matches: readonly string[];
  /** Directories to search for other names of denied files. */
  searched: readonly string[];
  /** Targets that links in denied places had before: a command may have removed the link. */
  targets: Map<string, FileRule>;
}

/** Finds everything that shows a denied file: its path, its links and its other names. */
export async function findDenied(sources: DeniedSources): Promise<Denied> {
  const { access, matches, searched, targets } = sources;
  const denied: Denied = {
    files: [],
    directories: [],
    open: [],
    absent: [],
    held: [],
    links: [],
    inside: { first: [], linked: [] },
    warnings: [],
  };
  for (const { path, named } of access.paths.filter((rule) => rule.access === "deny")) {
    if (path !== named && named !== "/") denied.links.push(named);
  }
  for (const match of matches) {
    if (entryAt(match)?.isSymbolicLink() === true) addTarget(match, denied, sources);
  }
  for (const { path, named, rule } of access.paths.filter((one) => one.access === "deny")) {
    if (path !== named) targets.set(path, rule);
  }
  for (const [path, rule] of targets) {
    if (!access.paths.some((one) => one.path === path)) access.deny(path, rule);
  }
  const named = access.paths.filter((rule) => rule.access === "deny").map(({ path }) => path);
  addAll(denied, access, [...named, ...matches]);
  const links = await otherNames(denied, searched);
  if (links.missing > 0) denied.warnings.push(unknownNames(links.missing));
  addAll(denied, access, links.paths, { always: true });
  const shown = [...denied.files, ...denied.directories, ...denied.open];
  addAll(denied, access, mountAliases(shown), { always: true });
  return denied;
}

/** A link that matches a pattern denies its target. */
function addTarget(link: string, denied: Denied, { access, targets }: DeniedSources): void {
  const { rule, access: decided } = access.of(link);
  const target = realPathOf(link);
  if (decided !== "deny" || rule === undefined || target === undefined) return;
  denied.links.push(link);
  targets.set(target, rule);
}

function addAll(
  denied: Denied,
  access: RuleAccess,
  paths: readonly string[],
  { always = false } = {},
): void {
  const known = new Set([...denied.files, ...denied.directories, ...denied.open, ...denied.absent]);
  for (const path of new Set(paths)) {
    if (path === "/" || known.has(path)) continue;
    if (!always && access.of(path).access !== "deny") continue;
    if (access.of(dirname(path)).access === "deny") continue; // covered by its parent
    const entry = entryAt(path);
    if (entry === undefined || isOfAnother(path, entry, access)) denied.absent.push(path);
    else if (entry.isSymbolicLink()) continue;
    else if (!entry.isDirectory()) denied.files.push(path);
    else if (hasPermitted(path, access)) denied.open.push(path);
    else denied.directories.push(path);
  }
}

/** The placeholder of another command may be removed at any moment: it is acquired as well. */
function isOfAnother(path: string, entry: Stats, access: RuleAccess): boolean {
  if (isPlaceholderFile(entry)) return true;
  return entry.isDirectory() && hasRulesBelow(path, access) && isEmptyDirectory(path);
}

/** Returns true if rules name something in a path, so that it is meant to be a directory. */
export function hasRulesBelow(path: string, access: RuleAccess): boolean {
  return access.paths.some((rule) => rule.path !== path && isWithin(rule.path, path));
}

function hasPermitted(directory: string, access: RuleAccess): boolean {
  return access.paths.some(
    (rule) =>
      rule.access !== "deny" &&
      rule.path !== directory &&
      isWithin(rule.path, directory) &&
      access.of(rule.path).access !== "deny" &&
      entryAt(rule.path) !== undefined,
  );
}

/** Finds hard links to denied files and to files in denied directories. */
async function otherNames(denied: Denied, searched: readonly string[]) {
  const { files, directories, open, inside } = denied;
  const complete = await walk([...directories, ...open], mostInside, (path, entry) => {
    if (!entry.isFile()) return;
    if (inside.first.length < mostWatched) inside.first.push(path);
    if ((entryAt(path)?.nlink ?? 0) > 1) inside.linked.push(path);
  });
  const found = await findHardLinks([...files, ...inside.linked], searched);
  return complete ? found : { ...found, missing: found.missing + 1 };
}

const mostInside = { directories: 2_000, entries: 20_000 };
/** Files in denied directories that are compared while a command runs; each costs 2 µs per output. */
const mostWatched = 256;

function unknownNames(count: number): string {
  const files = count === 1 ? "a denied file" : `${count} denied files`;
  return `Not protected: other names (hard links) of ${files} outside of the workspace, or in directories too large to search.`;
}
