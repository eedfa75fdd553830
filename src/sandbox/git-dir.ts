import { closeSync, constants, openSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realPlaceOf } from "./paths.js";

/**
 * The real directories behind a `.git` file: its git directory and the one that shares its objects.
 *
 * A file that is not of this form, or cannot be read, names none.
 */
export function gitDirsBehind(gitFile: string): string[] {
  const target = /^gitdir:[ \t]*(.+)$/m.exec(readStart(gitFile) ?? "")?.[1]?.trimEnd();
  if (target === undefined || target.includes("\0")) return [];
  const gitDir = realPlace(resolve(dirname(gitFile), target));
  const common = readStart(join(gitDir, "commondir"))?.trim();
  if (!common || common.includes("\0")) return [gitDir];
  return [gitDir, realPlace(resolve(gitDir, common))];
}

/** Longer than any path the system takes. */
const startSize = 8192;

function readStart(file: string): string | undefined {
  let descriptor: number;
  try {
    // Something that is not a plain file must not make us wait for its other end.
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
