import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { isOwnedByRoot } from "./detect.js";
import { entryAt } from "./paths.js";

/**
 * Starts bubblewrap where later mounts of the host do not appear.
 *
 * Bubblewrap copies shared mounts as slaves: a file system that the host mounts below one while a
 * command runs would appear in the sandbox, writable. Bubblewrap has no option against that, so
 * `unshare` starts it in a mount namespace of private mounts. If nothing is shared, as in most
 * containers, the additional program is skipped.
 */
export class PrivateMounts {
  #way: Promise<readonly string[] | undefined> | undefined;

  /** Returns the arguments to put before bubblewrap; undefined if that is not possible. */
  async prefix(): Promise<readonly string[] | undefined> {
    if (!hasSharedMounts()) return [];
    this.#way ??= findWay();
    return this.#way;
  }
}

/** Returns true if mounts are shared with, or follow, another namespace. */
function hasSharedMounts(): boolean {
  try {
    return / (?:shared|master):\d+(?: \S+)* - /.test(
      readFileSync("/proc/self/mountinfo", "latin1"),
    );
  } catch {
    return true;
  }
}

/** PATH is never searched: a command may have changed it. */
const places = ["/usr/bin/unshare", "/bin/unshare"];

async function findWay(): Promise<readonly string[] | undefined> {
  const file = places.find((place) => statSync(place, { throwIfNoEntry: false }));
  if (file === undefined || !isOwnedByRoot(file)) return undefined;
  for (const options of [["--mount"], ["--user", "--map-current-user", "--mount"]]) {
    const way = [file, ...options, "--propagation", "private", "--"];
    if (await works([...way, "/bin/true"])) return way;
  }
  return undefined;
}

function works([file = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file, args, { env: {}, cwd: "/", timeout: 5_000 }, (error) => resolve(error === null));
  });
}

/**
 * Returns a directory that all processes of this user share and no other user can change: in memory
 * if possible, since every command uses it. Commands do not see it: they have a separate /dev.
 * Returns `undefined` if there is none.
 */
export function openSharedDirectory(fallback: string): string | undefined {
  const uid = process.getuid?.() ?? 0;
  return [`/dev/shm/quire-${uid}`, fallback].find((path) => isOurs(path, uid));
}

/** Creates a directory, or verifies that an existing one belongs to this user. */
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
