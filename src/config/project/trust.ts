import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { foldersUp, projectFolders, realPath } from "../../lib/files.js";

/** What the user thinks of a project. */
export type TrustLevel = "trusted" | "untrusted";

/** The trust a folder has, and the path that says so, or that would have to. */
export interface TrustDecision {
  level: TrustLevel | undefined;
  path: string;
}

/** A project, as far as trust goes. */
export interface TrustedPlaces {
  /** The folders from its top to the working folder. */
  folders: readonly string[];
  /** For one of these folders: what is said of itself, of the project's top, of the repository. */
  trustOf(folder: string): TrustDecision;
}

/** What the user says of a path, and of nothing else. */
type TrustAt = (path: string) => TrustLevel | undefined;

/** Looks at the project around a folder. */
export function findTrustedPlaces(
  trustAt: TrustAt,
  cwd: string,
  markers: readonly string[],
): TrustedPlaces {
  const folders = projectFolders(cwd, markers);
  const top = folders[0] ?? cwd;
  return {
    folders,
    trustOf(folder) {
      for (const find of [() => folder, () => top, () => mainWorkTree(cwd)]) {
        const path = find();
        const level = path === undefined ? undefined : levelOf(path, trustAt);
        if (path !== undefined && level !== undefined) return { level, path };
      }
      return { level: undefined, path: mainWorkTree(cwd) ?? top };
    },
  };
}

/** What the user thinks of the project around a folder. */
export function trustLevelOf(
  { projects, project_root_markers }: TrustSettings,
  folder: string,
): TrustLevel | undefined {
  const places = findTrustedPlaces((path) => projects.get(path), folder, project_root_markers);
  return places.trustOf(folder).level;
}

/** The settings that trust depends on. */
interface TrustSettings {
  projects: ReadonlyMap<string, TrustLevel>;
  project_root_markers: readonly string[];
}

function levelOf(path: string, trustAt: TrustAt): TrustLevel | undefined {
  const levels = [path, realPath(path)].map(trustAt);
  return levels.includes("untrusted") ? "untrusted" : levels.find((level) => level !== undefined);
}

// A session begins with these lookups, and a dozen of them take less time this way than one
// that is not synchronous.

/**
 * The main work tree of the repository around a folder, for which the user decides about trust.
 *
 * A linked work tree counts only when the repository knows it: a folder from elsewhere could name a
 * repository that the user trusts, and would be trusted with it.
 */
export function mainWorkTree(cwd: string): string | undefined {
  for (const folder of foldersUp(cwd)) {
    const git = join(folder, ".git");
    const stats = lstatSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory() && existsSync(join(git, "HEAD"))) return realPath(folder);
    if (stats?.isFile()) return mainOfLinked(git);
  }
  return undefined;
}

function mainOfLinked(gitFile: string): string | undefined {
  const link = /^gitdir:\s*(.+?)\s*$/m.exec(readIfThere(gitFile))?.[1];
  if (link === undefined) return undefined;
  const gitDir = resolve(dirname(gitFile), link);
  const back = readIfThere(join(gitDir, "gitdir")).trim();
  if (back === "" || realPath(resolve(gitDir, back)) !== realPath(gitFile)) return undefined;
  const common = readIfThere(join(gitDir, "commondir")).trim() || "../..";
  const main = realPath(isAbsolute(common) ? common : join(gitDir, common));
  // What tells of the link must lie in the repository itself: the folder could bring its own.
  if (realPath(dirname(gitDir)) !== realPath(join(main, "worktrees"))) return undefined;
  return basename(main) === ".git" ? dirname(main) : main;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
