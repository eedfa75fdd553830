import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { eventsSeen } from "../breach-watch.js";
import { entryAt, identityOf } from "../paths.js";
import type { PathGlob } from "./glob.js";
import { walk } from "./walk.js";

/** Existing paths that match patterns. */
export interface Matches {
  paths: readonly string[];
  /** False if there are too many directories to search. */
  complete: boolean;
  /** False if the system is out of watches, so that a later match is not noticed. */
  watched: boolean;
}

/**
 * Finds the paths that match patterns, and those that appear later.
 *
 * The directories are searched once and watched from then on, so that a command pays for neither.
 * Each is watched before it is read: what appears in between is found twice, never missed.
 */
export class GlobMatches {
  readonly #globs: readonly PathGlob[];
  readonly #depth: number;
  readonly #known = new Set<string>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #listeners = new Set<(path: string) => void>();
  #identity = "";
  #search: Promise<boolean> | undefined;
  #watched = true;

  constructor(globs: readonly PathGlob[], maxDepth = deepest) {
    this.#globs = globs;
    this.#depth = Math.max(...globs.map(({ depth = deepest }) => Math.min(depth, maxDepth)));
  }

  /** Returns the matches as of now. */
  async current(): Promise<Matches> {
    const bases = [...new Set(this.#globs.map(({ base }) => base))];
    const identity = bases.map(identityOf).join();
    if (!this.#watched || identity !== this.#identity) this.close();
    this.#identity = identity;
    this.#search ??= this.#add(bases);
    const complete = await this.#search;
    await eventsSeen();
    const paths = [...this.#known].filter((path) => entryAt(path) !== undefined);
    return { paths, complete, watched: this.#watched };
  }

  /** Calls a function with each path that is created, replaced or changed and matches. */
  subscribe(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#known.clear();
    this.#search = undefined;
    this.#watched = true;
  }

  #add(directories: readonly string[], notify = false): Promise<boolean> {
    const limits = { directories: mostDirectories, entries: mostEntries, depth: this.#depth };
    return walk(
      directories,
      limits,
      (path) => {
        if (!this.#isMatch(path)) return;
        this.#known.add(path);
        if (notify) this.#notify(path);
      },
      (directory) => {
        // Everything in a matching directory is denied with it.
        if (this.#isMatch(directory)) return false;
        this.#watch(directory);
        return true;
      },
    );
  }

  #watch(directory: string): void {
    this.#watchers.get(directory)?.close();
    if (!this.#watched) return;
    try {
      const watcher = watch(directory, { persistent: false }, (event, name) => {
        if (name !== null) this.#onEvent(join(directory, name), event);
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.set(directory, watcher);
    } catch (error) {
      // The directory is gone already, or the system is out of watches.
      if (entryAt(directory) !== undefined && String(error).includes("ENOSPC")) {
        this.#watched = false;
      }
    }
  }

  #onEvent(path: string, event: string): void {
    const entry = entryAt(path);
    if (entry === undefined) {
      this.#known.delete(path);
      this.#watchers.get(path)?.close();
      this.#watchers.delete(path);
    } else if (this.#isMatch(path)) {
      this.#known.add(path);
      this.#notify(path);
    } else if (event === "rename" && entry.isDirectory()) {
      void this.#add([path], true);
    }
  }

  #isMatch(path: string): boolean {
    return this.#globs.some((glob) => glob.matches(path));
  }

  #notify(path: string): void {
    for (const listener of [...this.#listeners]) listener(path);
  }
}

/** Deeper trees are searched to this depth unless the rules set another one. */
const deepest = 64;
const mostDirectories = 20_000;
const mostEntries = 500_000;
