import { closeSync, constants, openSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { entryAt, realPlaceOf } from "./paths.js";
import { isEmptyDirectory } from "./placeholders.js";

/** Names whose content makes programs run code or trust a project; always read-only. */
export const protectedNames: readonly string[] = [".git", ".codex", ".agents"];

/** Returns true if some file system treats a name as a protected one. */
export function isProtectedName(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "") // HFS+ does not see these
    .replace(/:.*$/, "") // NTFS streams
    .replace(/[. ]+$/, "") // Windows drops them
    .toLowerCase();
  return protectedNames.includes(plain) || /^git~\d+$/.test(plain); // its short name on NTFS
}

/** Protected paths of a directory, by their state. */
export interface Protection {
  /** Existing, to stay unchanged; includes the git directories behind a `.git` file. */
  existing: string[];
  /** Missing, not to be created. */
  absent: string[];
  /** Empty directories: of the user, or placeholders. */
  empty: string[];
  /** Links, which cannot be protected: a command that can write the directory can replace them. */
  links: string[];
}

/** Finds the protected names in a writable root. */
export function protectionOf(root: string): Protection {
  const protection = noProtection();
  if (entryAt(root)?.isDirectory() !== true) return protection;
  for (const name of protectedNames) addProtection(protection, join(root, name));
  return protection;
}

/** Returns an empty protection. */
export function noProtection(): Protection {
  return { existing: [], absent: [], empty: [], links: [] };
}

/** Adds a path to a protection according to its state. */
export function addProtection(protection: Protection, path: string): void {
  const entry = entryAt(path);
  if (entry === undefined) {
    protection.absent.push(path);
  } else if (entry.isDirectory() && isEmptyDirectory(path)) {
    protection.empty.push(path);
  } else if (entry.isSymbolicLink()) {
    protection.links.push(path);
  } else {
    protection.existing.push(path);
    if (entry.isFile() && path.endsWith("/.git")) addGitDirs(protection, path);
  }
}

/** Returns the outermost missing part of a path, or `undefined` if it exists. */
export function firstMissing(path: string): string | undefined {
  if (entryAt(path) !== undefined) return undefined;
  const parent = dirname(path);
  return parent === path ? undefined : (firstMissing(parent) ?? path);
}

function addGitDirs(protection: Protection, gitFile: string): void {
  for (const directory of gitDirsBehind(gitFile)) {
    const missing = firstMissing(directory);
    if (missing === undefined) protection.existing.push(directory);
    else protection.absent.push(missing);
  }
}

/**
 * Returns the real directories behind a `.git` file: its git directory and the common one.
 *
 * Returns none for a file in another format or one that cannot be read.
 */
function gitDirsBehind(gitFile: string): string[] {
  const target = /^gitdir:[ \t]*(.+)$/m.exec(readStart(gitFile) ?? "")?.[1]?.trimEnd();
  if (target === undefined || target.includes("\0")) return [];
  const gitDir = realPlace(resolve(dirname(gitFile), target));
  const common = readStart(join(gitDir, "commondir"))?.trim();
  if (!common || common.includes("\0")) return [gitDir];
  return [gitDir, realPlace(resolve(gitDir, common))];
}

/** Longer than the system's path limit. */
const startSize = 8192;

function readStart(file: string): string | undefined {
  let descriptor: number;
  try {
    // Opening a special file must not block.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const buffer = Buffer.alloc(startSize);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer));
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function realPlace(path: string): string {
  return realPlaceOf(path) ?? path;
}
