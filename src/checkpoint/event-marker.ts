import { type FSWatcher, mkdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Finds out when all events of inotify so far have arrived: one that it causes itself comes after them. */
export class EventMarker {
  readonly #folder: string;
  readonly #watcher: FSWatcher;
  readonly #expected = new Map<string, (hasCome: boolean) => void>();

  /** Throws if the folder cannot be made or watched. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#watcher = watch(folder, { persistent: false }, (_kind, name) => {
      if (name !== null) this.#expected.get(name)?.(true);
    });
    this.#watcher.on("error", () => this.close());
  }

  /** Resolves to true when the events so far have arrived, and to false if they may be lost. */
  async pass(): Promise<boolean> {
    const name = `${process.pid}-${++markers}`;
    const path = join(this.#folder, name);
    let timeout: NodeJS.Timeout | undefined;
    const arrival = new Promise<boolean>((resolve) => {
      this.#expected.set(name, resolve);
      timeout = setTimeout(() => resolve(false), longestMs);
    });
    try {
      writeFileSync(path, "", { mode: 0o600 });
      rmSync(path);
      return await arrival;
    } catch {
      return false; // the store was removed, or its disk is full
    } finally {
      clearTimeout(timeout);
      this.#expected.delete(name);
    }
  }

  close(): void {
    this.#watcher.close();
    for (const resolve of this.#expected.values()) resolve(false);
  }
}

let markers = 0;
/** Events take a fraction of a millisecond, unless the process is busy. */
const longestMs = 1000;
