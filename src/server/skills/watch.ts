import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type SkillRoot, walkSkillFolders } from "../../project/index.js";

/** Options of a `SkillWatch`. */
interface SkillWatchOptions {
  /**
   * Returns the folders to watch; empty if no client wants the notification. The identical list is
   * not read from disk again.
   */
  roots(): Promise<readonly SkillRoot[]>;
  /** Called when skills may have changed, once for any number of files; must not throw. */
  onChange(): void;
  /** Minimum time between two calls of `onChange`. */
  intervalMs?: number;
}

/** Watches the files of skills. Does not keep the process alive. */
export class SkillWatch {
  readonly #options: Required<SkillWatchOptions>;
  readonly #watches = new FolderWatches((folder, name) => this.#onFolderChange(folder, name));
  #roots: readonly SkillRoot[] | undefined;
  #folders: WatchedFolders = nothing;
  #looking: NodeJS.Timeout | undefined;
  #pendingReport: NodeJS.Timeout | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: SkillWatchOptions) {
    this.#options = { intervalMs: 10_000, ...options };
  }

  /** Schedules an update of the watched folders; starting a thread does not wait for it. */
  look(): void {
    if (this.#isClosed) return;
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      void this.#update(this.#roots);
    }, lookPauseMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#looking);
    clearTimeout(this.#pendingReport);
    this.#watch(nothing);
  }

  #onFolderChange(folder: string, name: string | null): void {
    const awaited = this.#folders.awaited.get(folder);
    const counts = this.#folders.whole.has(folder) || name === null || awaited?.has(name) === true;
    if (!counts || this.#pendingReport !== undefined) return;
    const pauseMs = Math.max(
      burstMs,
      this.#reportedAt + this.#options.intervalMs - performance.now(),
    );
    this.#pendingReport = setTimeout(() => void this.#report(), pauseMs).unref();
  }

  async #report(): Promise<void> {
    // Watch new folders first, so that no change is missed between the watch and the notification.
    await this.#update(undefined);
    this.#pendingReport = undefined;
    if (this.#isClosed) return;
    this.#reportedAt = performance.now();
    this.#options.onChange();
  }

  async #update(known: readonly SkillRoot[] | undefined): Promise<void> {
    try {
      const roots = await this.#options.roots();
      if (roots === known) return;
      const folders = await watchedFolders(roots);
      if (this.#isClosed) return;
      this.#roots = roots;
      this.#watch(folders);
    } catch {
      // Invalid settings are reported to clients that list skills; the watched folders stay the
      // same.
    }
  }

  #watch(folders: WatchedFolders): void {
    this.#folders = folders;
    this.#watches.set(new Set([...folders.whole, ...folders.awaited.keys()]));
  }
}

const nothing: WatchedFolders = { whole: new Set(), awaited: new Map() };

const lookPauseMs = 250;
/** Delay for bursts: editors and version control change many files at once. */
const burstMs = 200;

/**
 * Called when an entry of a folder has changed; `name` is `null` if the system does not report it.
 */
type FolderListener = (folder: string, name: string | null) => void;

/** Watches folders, not recursively. Does not keep the process alive; set an empty list to stop. */
class FolderWatches {
  readonly #onChange: FolderListener;
  readonly #open = new Map<string, { watcher: FSWatcher; id: string }>();

  constructor(onChange: FolderListener) {
    this.#onChange = onChange;
  }

  /** Replaces the watched folders. */
  set(folders: ReadonlySet<string>): void {
    for (const [folder, { id }] of this.#open) {
      if (!folders.has(folder) || idOf(folder) !== id) this.#drop(folder);
    }
    for (const folder of folders) if (!this.#open.has(folder)) this.#add(folder);
  }

  #add(folder: string): void {
    const id = idOf(folder);
    if (id === undefined) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) =>
        this.#onChange(folder, name),
      );
      watcher.on("error", () => this.#drop(folder));
      this.#open.set(folder, { watcher, id });
    } catch {
      // The folder was removed, or the limit of watches is reached: its changes are not reported.
    }
  }

  #drop(folder: string): void {
    this.#open.get(folder)?.watcher.close();
    this.#open.delete(folder);
  }
}

/** Identifies a folder, to detect one that was replaced, which a watch does not notice. */
function idOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined;
}

/** Folders to watch for changes of skills. */
interface WatchedFolders {
  /** Folders of skills; every change counts. */
  whole: ReadonlySet<string>;
  /** Parents of missing folders, and the names that may appear in them. */
  awaited: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the folders of skills with their subfolders, and the parents of missing ones. */
async function watchedFolders(roots: readonly SkillRoot[]): Promise<WatchedFolders> {
  const whole = new Set<string>();
  const awaited = new Map<string, Set<string>>();
  for (const root of roots) {
    const [parent, name] = [dirname(root.path), basename(root.path)];
    if (existsSync(root.path)) await addBelow(root, whole);
    else if (existsSync(parent)) awaited.set(parent, (awaited.get(parent) ?? new Set()).add(name));
  }
  return { whole, awaited };
}

async function addBelow(root: SkillRoot, folders: Set<string>): Promise<void> {
  for await (const { folder } of walkSkillFolders(root)) {
    if (folders.size >= maxFolders) return;
    folders.add(folder);
  }
}

/** Limit: the system has a fixed number of watches per user. */
const maxFolders = 512;
