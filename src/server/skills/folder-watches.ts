import { type FSWatcher, statSync, watch } from "node:fs";

/** Hears that something in a folder has changed, and what, where the system says so. */
export type FolderListener = (folder: string, name: string | null) => void;

/** Watches folders, each by itself without what lies below. Keeps no process alive; set none to end. */
export class FolderWatches {
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
