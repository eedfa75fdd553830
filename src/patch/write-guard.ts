import { isAbsolute, relative, sep } from "node:path";
import type { WritableRoot } from "../protocol/types.js";

/** Decides which files a patch may touch. */
export interface WriteGuard {
  /**
   * Returns why a file must not be written, replaced or removed; nothing when it may be. The path
   * is absolute and real: no part of it is a symbolic link.
   */
  check(path: string): string | undefined;
}

/** Folders that decide what runs later, and so are never changed by a patch nobody looked at. */
export const PROTECTED_NAMES: readonly string[] = [".git", ".codex", ".agents"];

/** What a refused path is told when it lies in no writable root. */
export const OUTSIDE = "writing outside of the project";

/**
 * A guard that allows what lies below the roots, but for their read-only parts and for the
 * protected names at any depth, in any spelling that some file system takes for them.
 */
export function guardRoots(roots: readonly WritableRoot[]): WriteGuard {
  return {
    check(path) {
      const root = roots.find((candidate) => partsBelow(candidate.root, path) !== undefined);
      if (!root) return OUTSIDE;
      for (const { root: folder, read_only_subpaths: readOnly } of roots) {
        const parts = partsBelow(folder, path);
        if (!parts) continue;
        const name = parts.find(isProtectedName);
        if (name !== undefined) return `${name} is protected`;
        const subpath = readOnly.find((candidate) => isBelowAnyCase(candidate, path));
        if (subpath !== undefined) return `${subpath} is read-only`;
      }
      return undefined;
    },
  };
}

/** The folders and the name that lead from a root to a path; nothing when it is not below. */
function partsBelow(root: string, path: string): string[] | undefined {
  const way = relative(root, path);
  if (way === "" || isAbsolute(way)) return undefined;
  const parts = way.split(sep);
  return parts[0] === ".." ? undefined : parts;
}

function isBelowAnyCase(folder: string, path: string): boolean {
  const [a, b] = [folder.toLowerCase(), path.toLowerCase()];
  return a === b || partsBelow(a, b) !== undefined;
}

function isProtectedName(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "") // HFS+ does not see these
    .replace(/:.*$/, "") // NTFS streams
    .replace(/[. ]+$/, "") // Windows drops them
    .toLowerCase();
  return PROTECTED_NAMES.includes(plain) || /^git~\d+$/.test(plain); // its short name on NTFS
}
