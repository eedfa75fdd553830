import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { foldersUp, projectFolders, realPath } from "../../lib/files.js";

/** Trust level of a project. */
export type TrustLevel = "trusted" | "untrusted";

/** Trust level of a directory, and the path that it is set for or would be set for. */
export interface TrustDecision {
  level: TrustLevel | undefined;
  path: string;
}

/** Directories of a project and their trust. */
export interface TrustedPlaces {
  /** Directories from the project root to the working directory. */
  folders: readonly string[];
  /** Returns the trust of a directory: its own, that of the project root, or that of the repository. */
  trustOf(folder: string): TrustDecision;
}

/** Returns the trust level set for exactly this path. */
type TrustAt = (path: string) => TrustLevel | undefined;

/** Finds the project around a directory. */
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

/** Returns the trust level of the project around a directory. */
export function trustLevelOf(
  { projects, project_root_markers }: TrustSettings,
  folder: string,
): TrustLevel | undefined {
  const places = findTrustedPlaces((path) => projects.get(path), folder, project_root_markers);
  return places.trustOf(folder).level;
}

/** Settings that determine trust. */
interface TrustSettings {
  projects: ReadonlyMap<string, TrustLevel>;
  project_root_markers: readonly string[];
}

function levelOf(path: string, trustAt: TrustAt): TrustLevel | undefined {
  const levels = [path, realPath(path)].map(trustAt);
  return levels.includes("untrusted") ? "untrusted" : levels.find((level) => level !== undefined);
}

// Synchronous: a dozen of these lookups at the start of a session take less time than one async call.

/**
 * Returns the main work tree of the repository around a directory, which trust is set for.
 *
 * A linked work tree must be registered in the repository: otherwise a foreign directory could claim to
 * belong to a trusted repository.
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

/**
 * Returns the directory of the main work tree that a directory in a worktree below the home stands for;
 * undefined for any other directory.
 */
export function originOfWorktree(cwd: string, home: string): string | undefined {
  const path = relative(join(realPath(home), "worktrees"), realPath(cwd));
  const [repository = "..", name, ...inside] = path.split(sep);
  if (repository === ".." || name === undefined || isAbsolute(path)) return undefined;
  const main = mainWorkTree(cwd);
  return main === undefined ? undefined : join(main, ...inside);
}

function mainOfLinked(gitFile: string): string | undefined {
  const link = /^gitdir:\s*(.+?)\s*$/m.exec(readIfThere(gitFile))?.[1];
  if (link === undefined) return undefined;
  const gitDir = resolve(dirname(gitFile), link);
  const back = readIfThere(join(gitDir, "gitdir")).trim();
  if (back === "" || realPath(resolve(gitDir, back)) !== realPath(gitFile)) return undefined;
  const common = readIfThere(join(gitDir, "commondir")).trim() || "../..";
  const main = realPath(isAbsolute(common) ? common : join(gitDir, common));
  // The link must be registered in the repository itself: the directory could contain its own.
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
