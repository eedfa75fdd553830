import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ancestors, entryAt } from "../paths.js";
import type { SandboxOptions } from "../policy.js";
import { openSharedDirectory } from "../private-mounts.js";
import type { RuleAccess } from "./access.js";
import type { Denied } from "./denied.js";
import { DenyWatch } from "./deny-watch.js";
import type { GlobMatches } from "./glob-matches.js";

/** An empty file and an empty directory without any permissions, which are mounted on denied paths. */
export interface Masks {
  file: string;
  directory: string;
  /** An empty file for missing paths: programs that read whatever exists must not fail on it. */
  missing: string;
}

/** Returns the paths to watch while a command runs. */
export function watchOf(
  denied: Denied,
  matches: readonly string[],
  globs: GlobMatches | undefined,
  access: RuleAccess,
): DenyWatch | undefined {
  const byGlob = new Set(matches);
  const { files, directories, open, absent, links, inside } = denied;
  const all = [...files, ...directories, ...open, ...absent, ...links];
  const paths = all.filter((path) => !byGlob.has(path));
  if (paths.length === 0 && globs === undefined) return undefined;
  const present = [...files, ...directories, ...open].filter((path) => !byGlob.has(path));
  const parents = [...new Set(present.flatMap((path) => ancestors(path).slice(1)))];
  const isDenied = (path: string) => access.of(path).access === "deny";
  return new DenyWatch({ paths, parents, matches, inside: inside.first, globs, isDenied });
}

/** Creates the masks in the shared directory, or returns those that are there. */
export function openMasks(stateDir: SandboxOptions["stateDir"]): Masks {
  const directory = openSharedDirectory(stateDir);
  if (directory === undefined) throw new Error("there is no directory for masks of denied files");
  return {
    file: maskAt(join(directory, "denied-file"), 0, (path) => writeFileSync(path, "")),
    directory: maskAt(join(directory, "denied-directory"), 0, (path) => mkdirSync(path, 0)),
    missing: maskAt(join(directory, "denied-missing"), 0o444, (path) => writeFileSync(path, "")),
  };
}

/** Creates the mask, or again if something has changed it: others must not be able to fill it. */
function maskAt(path: string, mode: number, create: (path: string) => void): string {
  const entry = entryAt(path);
  const isOurs = entry !== undefined && entry.uid === process.getuid?.();
  if (isOurs && (entry.mode & 0o777) === mode && (mode === 0 || entry.size === 0)) return path;
  if (entry !== undefined) rmSync(path, { recursive: true, force: true });
  create(path);
  chmodSync(path, mode);
  return path;
}

/** Returns the error for patterns that match too many files. */
export function tooLarge({ globs }: RuleAccess): string {
  const patterns = globs.filter(({ access }) => access === "deny").map(({ rule }) => rule.place);
  const names = patterns.flatMap((place) => (place.type === "glob" ? [place.pattern] : []));
  return `too many directories to search for denied patterns (${[...new Set(names)].join(", ")}). Set glob_scan_max_depth, or name the directory that the files are in`;
}

/** Error for files that cannot be watched. */
export const unwatched =
  "The system is out of watches (fs.inotify.max_user_watches): a file that appears while a command runs and matches a denied pattern can be read by it.";
