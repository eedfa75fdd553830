import {
  closeSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../lib/errors.js";
import { isPlaceholderFile, placeholderTime } from "../lib/placeholder-file.js";
import { depthOf, entryAt } from "./paths.js";
import { PlaceholderPool } from "./placeholder-pool.js";
import { holderOf, type PlaceholderIdentity, PlaceholderRegistry } from "./placeholder-registry.js";

/** State of a path after a placeholder was requested. */
export type PlaceholderState =
  /** A placeholder; must be released. */
  | "held"
  /** A real file or directory. */
  | "real"
  /** Nothing: not even this process can create it, so the command cannot either. */
  | "impossible";

/** Something to put at a path that a command must not create. */
export interface Placeholder {
  path: string;
  /** A `parent` is a directory for other placeholders; commands may use it. */
  kind: "directory" | "parent" | "file";
  /** Content of a file; empty by default. */
  content?: string;
  /** Makes a directory that only the user can read. */
  isPrivate?: boolean;
}

/** State directories; commands must not reach either of them. */
export interface PlaceholderPlaces {
  /** Shared by all processes of the user; if absent, only this process is tracked. */
  shared?: string;
  /** Pool of directories for reuse. */
  kept?: string;
  /** Distinguishes several instances in one process. */
  id: string;
}

/**
 * Holds empty directories and files at paths that a command must not create.
 *
 * Mounting requires an existing mount point, so a missing `.git` has to exist while commands run.
 * Holders are counted in this process and, between processes, recorded in a registry, so that the
 * last holder of a directory removes its placeholders, and only those that are unchanged: the same
 * inode, a directory that is still empty, a file that still has the time of a placeholder. Leftovers
 * of killed processes are removed by the next holder.
 */
export class Placeholders {
  readonly #registry: PlaceholderRegistry | undefined;
  readonly #pool: PlaceholderPool;
  readonly #counts = new Map<string, number>();
  /** Placeholders created per directory, in case the registry is lost. */
  readonly #own = new Map<string, Map<string, PlaceholderIdentity>>();
  /** Directories of acquisitions in progress, one entry per caller. */
  readonly #entering: string[] = [];
  #hasSwept = false;

  constructor({ shared, kept, id }: PlaceholderPlaces) {
    this.#registry =
      shared === undefined ? undefined : new PlaceholderRegistry(shared, holderOf(id));
    this.#pool = new PlaceholderPool(kept, id);
  }

  /**
   * Acquires all paths, given as directories or with their kind; parents come before what is in
   * them. Those that are `held` must be released with `release`.
   */
  async acquire(wanted: readonly (string | Placeholder)[]): Promise<Map<string, PlaceholderState>> {
    const all = wanted.map((one) => (typeof one === "string" ? directoryAt(one) : one));
    const missing = all.map(({ path }) => path).filter((path) => !this.#counts.has(path));
    const directories = [...new Set(missing.map((path) => dirname(path)))];
    for (const directory of directories) this.#enter(directory);
    for (const directory of directories) await this.#untilOpen(directory);
    const states = new Map(all.map((one) => [one.path, this.#take(one)]));
    for (const directory of directories)
      this.#entering.splice(this.#entering.indexOf(directory), 1);
    if (missing.length > 0) {
      await this.#leaveUnused(missing);
      this.#sweepOnce();
    }
    return states;
  }

  /** Returns true for a placeholder of this or another process. */
  isOurs(path: string, there = entryAt(path)): boolean {
    if (there === undefined) return false;
    const [directory, name] = [dirname(path), basename(path)];
    if (isSame(this.#own.get(directory)?.get(name), there)) return true;
    return this.#registry?.isRecorded(directory, name, there) === true;
  }

  /** Releases held paths; removes those without another holder. */
  async release(paths: readonly string[]): Promise<void> {
    await this.#leaveUnused(paths.filter((path) => this.#uncount(path)));
  }

  /** Removes everything held only by this process, without waiting; for the end of the process. */
  releaseAll(): void {
    this.#counts.clear();
    for (const directory of deepestFirst(this.#own.keys())) this.#leave(directory);
    this.#pool.close();
  }

  #enter(directory: string): void {
    this.#entering.push(directory);
    if (this.#own.has(directory)) return;
    this.#own.set(directory, new Map());
    quietly(() => this.#registry?.enter(directory));
  }

  /** Removing placeholders takes only a few system calls; afterwards they are created again. */
  async #untilOpen(directory: string): Promise<void> {
    const began = performance.now();
    while (this.#registry?.isClosing(directory) && performance.now() - began < patienceMs) {
      await delay(Math.random() * longestPauseMs);
    }
  }

  #take(wanted: Placeholder): PlaceholderState {
    const { path } = wanted;
    if (this.#counts.has(path)) return this.#count(path);
    const [directory, name] = [dirname(path), basename(path)];
    const there = entryAt(path);
    if (there !== undefined) {
      const isUsable = wanted.kind === "parent" ? there.isDirectory() : isUntouched(path, there);
      return isUsable && this.isOurs(path, there) ? this.#count(path) : "real";
    }
    try {
      if (wanted.kind === "file") createFile(path, wanted.content ?? "");
      else if (wanted.isPrivate) mkdirSync(path, { mode: 0o700 });
      else this.#pool.put(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === "EEXIST") return "real";
      if (typeof code === "string" && forbidden.has(code)) return "impossible";
      throw error;
    }
    const { dev = 0, ino = 0, birthtimeMs = 0 } = entryAt(path) ?? {};
    this.#own.get(directory)?.set(name, { dev, ino, birthtimeMs });
    quietly(() => this.#registry?.record(directory, name, { dev, ino, birthtimeMs }));
    return this.#count(path);
  }

  /** Leaves the directories of these paths in which nothing is held anymore. */
  async #leaveUnused(paths: readonly string[]): Promise<void> {
    const began = performance.now();
    for (const directory of deepestFirst(paths.map((path) => dirname(path)))) {
      while (!this.#isUsed(directory) && !this.#leave(directory)) {
        if (performance.now() - began > patienceMs) return; // the next one will
        await delay(Math.random() * longestPauseMs);
      }
    }
  }

  #isUsed(directory: string): boolean {
    if (this.#entering.includes(directory)) return true;
    for (const path of this.#counts.keys()) if (dirname(path) === directory) return true;
    return false;
  }

  /** Returns false if another process is about to leave the directory too. */
  #leave(directory: string): boolean {
    const own = this.#own.get(directory);
    if (own === undefined) return true;
    const remove = (name: string, identity: PlaceholderIdentity) => {
      own.delete(name);
      this.#remove(join(directory, name), identity);
    };
    const hasLeft = quietly(() => this.#registry?.leave(directory, remove)) ?? true;
    if (!hasLeft) return false;
    this.#own.delete(directory);
    const isAlone = own.size > 0 && this.#registry?.isHeld(directory) !== true;
    if (isAlone) for (const [name, identity] of [...own]) remove(name, identity);
    return true;
  }

  #sweepOnce(): void {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const sweep = () =>
      quietly(() => this.#registry?.sweep((path, identity) => this.#remove(path, identity)));
    // After the command that is being prepared.
    setImmediate(sweep).unref();
  }

  #remove(path: string, identity: PlaceholderIdentity): void {
    const there = entryAt(path);
    if (there === undefined || !isSame(identity, there) || !isUntouched(path, there)) return;
    // It may be put to real use at the last moment.
    quietly(() => {
      if (there.isFile()) unlinkSync(path);
      else if ((there.mode & 0o077) === 0) rmdirSync(path);
      else this.#pool.take(path);
    });
  }

  #count(path: string): PlaceholderState {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    return "held";
  }

  #uncount(path: string): boolean {
    const count = this.#counts.get(path) ?? 0;
    if (count > 1) this.#counts.set(path, count - 1);
    else this.#counts.delete(path);
    return count === 1;
  }
}

/** Returns true for an existing empty directory. */
export function isEmptyDirectory(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

function isUntouched(path: string, entry: Stats): boolean {
  return entry.isFile() ? isPlaceholderFile(entry) : isEmptyDirectory(path);
}

function createFile(path: string, content: string): void {
  const descriptor = openSync(path, "wx", 0o644);
  try {
    if (content !== "") writeSync(descriptor, content);
    futimesSync(descriptor, placeholderTime, placeholderTime);
  } finally {
    closeSync(descriptor);
  }
}

function directoryAt(path: string): Placeholder {
  return { path, kind: "directory" };
}

/** A directory can only be removed once those in it are. */
function deepestFirst(directories: Iterable<string>): string[] {
  return [...new Set(directories)].sort((left, right) => depthOf(right) - depthOf(left));
}

/** Time limit for another process to leave; a stopped one must not block commands. */
const patienceMs = 2_000;
const longestPauseMs = 4;

const forbidden = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT", "ENAMETOOLONG"]);

function isSame(
  known: PlaceholderIdentity | undefined,
  there: PlaceholderIdentity | undefined,
): boolean {
  if (known === undefined || known.dev !== there?.dev || known.ino !== there.ino) return false;
  return (known.birthtimeMs ?? there.birthtimeMs) === there.birthtimeMs;
}

/** A full or lost registry affects only the coordination of processes, never a command. */
function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
