import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { eventsSeen } from "../breach-watch.js";
import { entryAt, identityOf } from "../paths.js";
import type { GlobMatches } from "./glob-matches.js";
import { isWriting } from "./open-files.js";

/** Options for `DenyWatch`. */
interface DenyWatchOptions {
  /** Denied paths, missing ones too: each must stay as it is while the command runs. */
  paths: readonly string[];
  /** Directories that contain denied files: a replaced one shows other files. */
  parents: readonly string[];
  /** Denied paths that match patterns and are masked. */
  matches: readonly string[];
  /** Files in denied directories. The system reports no event if one of them gets another name. */
  inside: readonly string[];
  globs: GlobMatches | undefined;
  /** Returns true if a path is denied: of the matches of a pattern only some are. */
  isDenied(path: string): boolean;
}

/**
 * Watches the denied paths of a command.
 *
 * A mask is attached to a file, not to its name: a file that is saved again by renaming, or that
 * appears, could be read. A mount cannot prevent that, so the command must be killed. Watching starts
 * before the command does, and output waits until the watch has seen everything that happened before
 * it was written (`settled`), so that no output contains what was read in between.
 */
export class DenyWatch {
  readonly #states: Map<string, State>;
  readonly #masked: ReadonlyMap<string, State>;
  readonly #names: ReadonlyMap<string, number>;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #isDenied: (path: string) => boolean;
  readonly #unsubscribe: (() => void) | undefined;
  /** Placeholders, which are watched by their names. */
  readonly #expected = new Set<string>();
  /** Events from before a watch are reported too if the directory has another one. */
  #fresh = 0;
  /** Files that the command writes itself. */
  readonly #own = new Set<string>();
  #poll: NodeJS.Timeout | undefined;
  #breach: string | undefined;
  #onBreach: ((path: string) => void) | undefined;
  #firstProcess: () => number | undefined = () => undefined;

  /** Starts watching. */
  constructor({ paths, parents, matches, inside, globs, isDenied }: DenyWatchOptions) {
    this.#isDenied = isDenied;
    this.#states = new Map(parents.map((path) => [path, stateOf(path)]));
    this.#masked = new Map(matches.map((path) => [path, stateOf(path)]));
    this.#names = new Map([...matches, ...inside].map((path) => [path, namesOf(path)]));
    this.#unsubscribe = globs?.subscribe((path) => this.#onMatch(path));
    this.add(paths);
  }

  /** Watches further paths, which must stay as they are now. */
  add(paths: readonly string[]): void {
    for (const path of paths) this.#states.set(path, stateOf(path));
    for (const directory of new Set(paths.map((path) => dirname(path)))) this.#watch(directory);
    this.#fresh++;
    void eventsSeen().then(() => {
      this.#fresh--;
    });
  }

  /** Expects this process to create paths; to watch them afterwards, add them. */
  expect(paths: readonly string[]): void {
    for (const path of paths) {
      this.#states.delete(path);
      this.#expected.add(path);
    }
  }

  /** Calls `onBreach` once. `firstProcess` returns the process that all others of the command descend from. */
  start(onBreach: (path: string) => void, firstProcess: () => number | undefined): void {
    this.#firstProcess = firstProcess;
    this.#onBreach = onBreach;
    if (this.#breach !== undefined) onBreach(this.#breach);
    else this.#poll = setInterval(() => this.#check(), pollMs).unref();
  }

  /** Returns true if nothing denied was readable up to now. */
  async settled(): Promise<boolean> {
    await eventsSeen();
    this.#check();
    return this.#breach === undefined;
  }

  stop(): void {
    this.#onBreach = undefined;
    clearInterval(this.#poll);
    this.#unsubscribe?.();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** If the directory is missing, the checks at intervals find what appears in it. */
  #watch(directory: string): void {
    if (this.#watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, (event, name) => {
        const path = name === null ? undefined : join(directory, name);
        const isNamed = path !== undefined && this.#states.has(path);
        // The inode number of a removed file may be used again, so the event itself counts.
        if (isNamed && event === "rename" && this.#fresh === 0) this.#report(path);
        else this.#check();
      });
      watcher.on("error", () => this.#check());
      this.#watchers.set(directory, watcher);
    } catch {
      // The checks at intervals and before all output remain.
    }
  }

  #onMatch(path: string): void {
    if (this.#expected.has(path)) return;
    const known = this.#masked.get(path);
    if (known !== undefined ? isAsBefore(path, known) : this.#own.has(path)) return;
    if (!this.#isDenied(path)) return;
    if (known === undefined && this.#isOwn(path)) return;
    this.#report(path);
  }

  /** A file that the command has just made holds nothing that it does not know. */
  #isOwn(path: string): boolean {
    const entry = entryAt(path);
    if (entry === undefined || (entry.isFile() && entry.size === 0)) return true;
    if (!isWriting(this.#firstProcess(), path)) return false;
    this.#own.add(path);
    return true;
  }

  #check(): void {
    const found = [...this.#states].find(([path, state]) => !isAsBefore(path, state));
    const named = [...this.#names].find(([path, names]) => namesOf(path) > names);
    const [path] = found ?? named ?? [];
    if (path !== undefined) this.#report(path);
  }

  #report(path: string): void {
    if (this.#breach !== undefined) return;
    this.#breach = path;
    this.#onBreach?.(path);
  }
}

const pollMs = 50;

/** A path when the command started. */
interface State {
  identity: string;
  /** Names of the file; another one would show what the mask hides. */
  names: number;
}

function stateOf(path: string): State {
  return { identity: identityOf(path), names: namesOf(path) };
}

function namesOf(path: string): number {
  const entry = entryAt(path);
  return entry?.isFile() === true ? entry.nlink : 1;
}

function isAsBefore(path: string, { identity, names }: State): boolean {
  return identityOf(path) === identity && namesOf(path) <= names;
}
