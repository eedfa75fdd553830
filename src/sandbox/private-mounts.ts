import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { isOwnedByRoot } from "./detect.js";
import { entryAt } from "./paths.js";

/**
 * Starts bubblewrap where no mount of the host appears later on.
 *
 * Bubblewrap leaves copies of shared mounts that follow their originals: what the host mounts below one
 * while a command runs would appear in the sandbox, and writable. Bubblewrap has no option against it, so
 * `unshare` puts it into a mount namespace of private mounts. Where nothing is shared, as in most
 * containers, that would be one program more for nothing.
 */
export class PrivateMounts {
  #way: Promise<readonly string[] | undefined> | undefined;

  /** The words to put in front of the call of bubblewrap; undefined where there is no way. */
  async prefix(): Promise<readonly string[] | undefined> {
    if (!hasSharedMounts()) return [];
    this.#way ??= findWay();
    return this.#way;
  }
}

/** Whether mounts are shared with another namespace, or follow one. */
function hasSharedMounts(): boolean {
  try {
    return / (?:shared|master):\d+(?: \S+)* - /.test(
      readFileSync("/proc/self/mountinfo", "latin1"),
    );
  } catch {
    return true;
  }
}

/** Never looked up in PATH, which a command may have shaped. */
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
