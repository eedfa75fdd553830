import { type Dirent, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { entryAt, isWithin } from "../paths.js";
import { walk } from "./walk.js";

/** A mounted file system, or a part of one. */
interface MountedTree {
  device: string;
  /** The mounted directory, as a path inside its file system. */
  root: string;
  point: string;
}

/**
 * Returns the other paths of directories and files that are also mounted elsewhere, as by
 * `mount --bind`: they show the same files.
 */
export function mountAliases(paths: readonly string[], mountinfo = readMounts()): string[] {
  const mounts = parseMounts(mountinfo);
  const found = new Set<string>();
  for (const path of paths) {
    const own = mounts.findLast(
      ({ point }) => isWithin(path, point) && !hides(mounts, point, path),
    );
    if (own === undefined) continue;
    const inside = join(own.root, relative(own.point, path));
    for (const { device, root, point } of mounts) {
      if (device !== own.device) continue;
      if (isWithin(root, inside)) found.add(point);
      else if (isWithin(inside, root)) found.add(join(point, relative(root, inside)));
    }
  }
  for (const path of paths) found.delete(path);
  return [...found].filter((alias) => entryAt(alias) !== undefined);
}

/** Other systems have no mounts of single directories. */
function readMounts(): string {
  return process.platform === "linux" ? readFileSync("/proc/self/mountinfo", "utf8") : "";
}

/** A longer mount point contains the path, so that it is not in this mount. */
function hides(mounts: readonly MountedTree[], point: string, path: string): boolean {
  return mounts.some((other) => other.point.length > point.length && isWithin(path, other.point));
}

function parseMounts(text: string): MountedTree[] {
  return text.split("\n").flatMap((line): MountedTree[] => {
    const [, , device, root, point] = line.split(" ");
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: unescaped(root), point: unescaped(point) }];
  });
}

/** Spaces and the like are octal numbers there. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes = text.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return bytes;
}

/** Result of a search for other names of files. */
export interface LinkSearch {
  paths: string[];
  /** Names that were not found, because they are elsewhere or the search reached its limit. */
  missing: number;
}

/**
 * Finds other names (hard links) of files below directories.
 *
 * Only files with more than one name cost a search, so that it is rare.
 */
export async function findHardLinks(
  files: readonly string[],
  directories: readonly string[],
): Promise<LinkSearch> {
  const wanted = new Map<string, number>();
  for (const file of files) {
    const entry = entryAt(file);
    if (entry?.isFile() !== true || entry.nlink < 2) continue;
    const key = `${entry.dev} ${entry.ino}`;
    wanted.set(key, (wanted.get(key) ?? entry.nlink) - 1);
  }
  const paths: string[] = [];
  const known = new Set(files);
  let missing = [...wanted.values()].filter((left) => left > 0).length;
  const visit = (path: string, entry: Dirent) => {
    if (!entry.isFile() || known.has(path)) return;
    const stats = entryAt(path);
    if (stats === undefined || stats.nlink < 2) return;
    const key = `${stats.dev} ${stats.ino}`;
    const left = wanted.get(key);
    if (left === undefined) return;
    known.add(path);
    paths.push(path);
    wanted.set(key, left - 1);
    if (left === 1) missing--;
  };
  // A search of a large temporary directory takes seconds: it ends with the last name. A file that is
  // also mounted elsewhere has more names than links.
  const isWhole = hasSharedMounts(directories);
  const limits = { directories: 50_000, entries: 500_000 };
  if (missing > 0) await walk(directories, limits, visit, () => isWhole || missing > 0);
  return { paths, missing };
}

/** Returns true if a part of a file system that is mounted more than once is mounted below directories. */
function hasSharedMounts(directories: readonly string[]): boolean {
  const mounts = parseMounts(readMounts());
  return mounts.some(
    (mount) =>
      directories.some((directory) => isWithin(mount.point, directory)) &&
      mounts.some((other) => other !== mount && other.device === mount.device),
  );
}
