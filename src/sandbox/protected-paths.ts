import { dirname, join } from "node:path";
import { gitDirsBehind } from "./git-dir.js";
import { entryAt } from "./paths.js";
import { isEmptyDirectory } from "./placeholders.js";

/** Names whose content makes programs run code or trust a project; read-only wherever they stand. */
export const protectedNames: readonly string[] = [".git", ".codex", ".agents"];

/** Whether some file system takes a name for a protected one. */
export function isProtectedName(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "") // HFS+ does not see these
    .replace(/:.*$/, "") // NTFS streams
    .replace(/[. ]+$/, "") // Windows drops them
    .toLowerCase();
  return protectedNames.includes(plain) || /^git~\d+$/.test(plain); // its short name on NTFS
}

/** What of the protected names is in a directory. */
export interface Protection {
  /** There, and to be kept as they are; the git directories behind a `.git` file included. */
  existing: string[];
  /** Not there, and not to be made. */
  absent: string[];
  /** There and empty: the user's, or only there to keep the place. */
  empty: string[];
  /** Links, which cannot be protected: whoever can write the directory can turn them. */
  links: string[];
}

/** Looks for the protected names in a writable root. */
export function protectionOf(root: string): Protection {
  const protection = noProtection();
  if (entryAt(root)?.isDirectory() !== true) return protection;
  for (const name of protectedNames) addProtection(protection, join(root, name));
  return protection;
}

/** Nothing protected yet. */
export function noProtection(): Protection {
  return { existing: [], absent: [], empty: [], links: [] };
}

/** Adds one path to what is protected, by what is found there. */
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

/** The outermost part of a path that is not there; nothing when all of it is. */
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
