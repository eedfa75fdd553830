import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type SkillRoot, walkSkillFolders } from "../../project/index.js";

/** What is watched for whom. */
interface SkillWatchOptions {
  /**
   * Where skills are looked for at present; nowhere when nobody wants to hear of changes. The same
   * list as before needs no look at the disk.
   */
  roots(): Promise<readonly SkillRoot[]>;
  /** Hears that skills may have changed, however many files did; must not throw. */
  onChange(): void;
  /** From one change that is told to the next it takes at least so long. */
  intervalMs?: number;
}

/** Watches files of skills. Keeps no process alive. */
export class SkillWatch {
  readonly #options: Required<SkillWatchOptions>;
  readonly #watches = new FolderWatches((folder, name) => this.#hear(folder, name));
  #roots: readonly SkillRoot[] | undefined;
  #folders: WatchedFolders = nothing;
  #looking: NodeJS.Timeout | undefined;
  #telling: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: SkillWatchOptions) {
    this.#options = { intervalMs: 10_000, ...options };
  }

  /** Finds out what is to be watched, soon: who begins a thread does not wait for it. */
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
    clearTimeout(this.#telling);
    this.#watch(nothing);
  }

  #hear(folder: string, name: string | null): void {
    const awaited = this.#folders.awaited.get(folder);
    const counts = this.#folders.whole.has(folder) || name === null || awaited?.has(name) === true;
    if (!counts || this.#telling !== undefined) return;
    const pauseMs = Math.max(burstMs, this.#toldAt + this.#options.intervalMs - performance.now());
    this.#telling = setTimeout(() => void this.#tell(), pauseMs).unref();
  }

  async #tell(): Promise<void> {
    // New folders are watched first, so that no change falls between them and what is told.
    await this.#update(undefined);
    this.#telling = undefined;
    if (this.#isClosed) return;
    this.#toldAt = performance.now();
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
      // Settings that cannot be read are told to who asks for skills; what was watched stays so.
    }
  }

  #watch(folders: WatchedFolders): void {
    this.#folders = folders;
    this.#watches.set(new Set([...folders.whole, ...folders.awaited.keys()]));
  }
}

const nothing: WatchedFolders = { whole: new Set(), awaited: new Map() };

const lookPauseMs = 250;
/** Editors and version control change many files at a time. */
const burstMs = 200;

/** Hears that something in a folder has changed, and what, where the system says so. */
type FolderListener = (folder: string, name: string | null) => void;

/** Watches folders, each by itself without what lies below. Keeps no process alive; set none to end. */
class FolderWatches {
  readonly #onChange: FolderListener;
  readonly #open = new Map<string, { watcher: FSWatcher; id: string }>();

  constructor(onChange: FolderListener) {
    this.#onChange = onChange;
  }

  /** Watches these folders from now on, and no others. */
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
      // It is gone again, or the system watches no more of them: what changes there is not heard.
    }
  }

  #drop(folder: string): void {
    this.#open.get(folder)?.watcher.close();
    this.#open.delete(folder);
  }
}

/** Tells a folder from another that has taken its place, which its watch would not notice. */
function idOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined;
}

/** What to watch for changes of skills. */
interface WatchedFolders {
  /** Folders of skills; anything that changes in them counts. */
  whole: ReadonlySet<string>;
  /** Folders in which one may appear, with the names that it would have. */
  awaited: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The folders of skills with those below, and where one that is not there would appear. */
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
    if (folders.size >= mostFolders) return;
    folders.add(folder);
  }
}

/** The system has only so many watches for all programs of a user. */
const mostFolders = 512;
