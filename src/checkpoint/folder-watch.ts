import { type FSWatcher, readFileSync, type Stats, statfsSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EventMarker } from "./event-marker.js";

/** Paths that may have changed. */
export interface PossibleChanges {
  /** Paths that events have named. */
  named: readonly string[];
  /** Returns true if the path, or one below it, may have changed. */
  has(path: string): boolean;
  /** Returns true if changes of the names and files in a folder were reported since the last walk. */
  isWatched(folder: string): boolean;
}

/**
 * Collects the paths below a folder that change, from the events of inotify.
 *
 * Events come from the kernel in the order of the changes, and are there when the call that made a change
 * has returned. Not reported are writes to mapped memory and those through a hard link outside of the folder.
 */
export class FolderWatch {
  readonly #root: string;
  readonly #device: number;
  readonly #marker: EventMarker;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Paths that change without events: other file systems, and files with several names. */
  readonly #unwatched = new Set<string>();
  #named = new Set<string>();
  /** Paths that a walk looks at; they are looked at again if it fails. */
  #taken = new Set<string>();
  /** Folders that are watched since the last walk that did not fail. */
  #added = new Set<string>();
  #hasNewLinks = false;
  /** Events since the event loop has last waited. */
  #burst = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(root: string, device: number, marker: EventMarker) {
    this.#root = root;
    this.#device = device;
    this.#marker = marker;
    this.#restartIdle();
  }

  /** Watches a folder; undefined if the system or the file system reports no changes. */
  static open(root: string, storeFolder: string, { dev }: Stats): FolderWatch | undefined {
    if (process.platform !== "linux") return undefined;
    try {
      if (!localFileSystems.has(statfsSync(root).type)) return undefined;
      return new FolderWatch(root, dev, new EventMarker(join(storeFolder, "watch")));
    } catch {
      return undefined; // no more watches, or the store cannot be written
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Watches a folder; call it before its contents are looked at. */
  add(path: string, { dev }: Stats): void {
    if (this.#isClosed || this.#watchers.has(path)) return;
    if (dev !== this.#device) {
      this.#unwatched.add(path);
      return;
    }
    try {
      if (watchedFolders >= mostWatched()) throw new Error("too many folders");
      const watcher = watch(path, { persistent: false }, (kind, name) =>
        this.#onEvent(path, kind, name),
      );
      watcher.on("error", () => this.close());
      this.#watchers.set(path, watcher);
      this.#added.add(path);
      watchedFolders++;
    } catch {
      this.close();
    }
  }

  /** Adds a path that is always looked at. */
  addUnwatched(path: string): void {
    this.#unwatched.add(path);
  }

  /** Adds a file with several hard links: a change through one of them is an event for that one only. */
  addLinked(path: string): void {
    if (this.#unwatched.has(path)) return;
    this.#unwatched.add(path);
    this.#hasNewLinks = true;
  }

  /** True if a file with several names was found since {@link begin}. */
  get hasNewLinks(): boolean {
    return this.#hasNewLinks;
  }

  /** Begins a walk that looks at the paths named so far. */
  begin(): void {
    for (const path of this.#named) this.#taken.add(path);
    this.#named = new Set();
    this.#hasNewLinks = false;
    this.#restartIdle();
  }

  /** Ends a walk that has looked at all of them. */
  settle(): void {
    this.#taken = new Set();
    this.#added = new Set();
  }

  /** Returns what may have changed until now since the last walk; undefined if that is not known. */
  async changes(): Promise<PossibleChanges | undefined> {
    if (!(await this.#marker.pass())) this.close();
    if (this.#isClosed) return undefined;
    this.begin();
    const named = [...this.#taken];
    const marked = new Set<string>();
    for (const path of [...named, ...this.#unwatched]) this.#mark(path, marked);
    return {
      named,
      has: (path) => marked.has(path),
      isWatched: (folder) => this.#watchers.has(folder) && !this.#added.has(folder),
    };
  }

  /** Marks a path and the folders above it. */
  #mark(path: string, marked: Set<string>): void {
    for (let at = path; !marked.has(at); at = dirname(at)) {
      marked.add(at);
      if (at === this.#root || at === dirname(at)) return;
    }
  }

  #onEvent(folder: string, kind: string, name: string | null): void {
    if (this.#burst++ === 0) setImmediate(() => (this.#burst = 0)).unref();
    const isRoot = folder === this.#root && name === basename(folder) && kind === "rename";
    if (name === null || isRoot || this.#burst > mostAtOnce || this.#named.size > mostNamed) {
      this.close();
      return;
    }
    const path = join(folder, name);
    this.#named.add(path);
    if (kind === "rename") this.#forget(path);
  }

  /** Ends the watches of a folder that may have gone or be another one now; the next walk looks at it. */
  #forget(path: string): void {
    if (!this.#watchers.has(path)) return;
    for (const [at, watcher] of this.#watchers) {
      if (at !== path && !at.startsWith(`${path}/`)) continue;
      this.#end(at, watcher);
    }
  }

  #end(path: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(path);
    watchedFolders--;
  }

  #restartIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), idleMs).unref();
  }

  /** Ends all watches. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#marker.close();
    for (const [path, watcher] of this.#watchers) this.#end(path, watcher);
  }
}

/** Folders that the watches of this process watch. */
let watchedFolders = 0;
let limit: number | undefined;

/** Leaves most of the watches of the user to other programs. */
function mostWatched(): number {
  if (limit !== undefined) return limit;
  let allowed = Number.NaN;
  try {
    allowed = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
  } catch {
    // not readable
  }
  limit = Math.min(8192, Math.floor((Number.isNaN(allowed) ? 8192 : allowed) / 8));
  return limit;
}

/** More paths are not found faster than by a walk. */
const mostNamed = 4096;
/** The queue of the kernel has 16,384 events; the rest is dropped without notice. */
const mostAtOnce = 4096;
/** A watch that is not used is ended, so that sessions that wait hold none. */
const idleMs = 5 * 60_000;

/** File systems whose changes are all made by this machine. */
const localFileSystems = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
]);
