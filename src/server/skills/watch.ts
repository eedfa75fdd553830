import type { SkillRoot } from "../../project/index.js";
import { FolderWatches } from "./folder-watches.js";
import { type WatchedFolders, watchedFolders } from "./watched-folders.js";

/** What is watched for whom. */
export interface SkillWatchOptions {
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
