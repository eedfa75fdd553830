import { chmodSync, mkdirSync } from "node:fs";
import { entryAt } from "./paths.js";

/**
 * A directory that all processes of this user find and no other user can change: in memory where
 * there is such a place, since it is used with every command. Commands do not see it: they have a
 * /dev of their own. Nothing when none can be had.
 */
export function openSharedDirectory(fallback: string): string | undefined {
  const uid = process.getuid?.() ?? 0;
  return [`/dev/shm/quire-${uid}`, fallback].find((path) => isOurs(path, uid));
}

/** Makes a directory, or makes sure that the one there was not put up by someone else. */
function isOurs(path: string, uid: number): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const entry = entryAt(path);
    if (entry?.isDirectory() !== true || entry.uid !== uid) return false;
    if ((entry.mode & 0o077) !== 0) chmodSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}
