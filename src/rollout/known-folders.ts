import { statSync } from "node:fs";
import { filesOf, type RolloutFile } from "./walk.js";

/**
 * Remembers which rollouts folders hold, until something is made or removed in them.
 *
 * Whoever reads a long list page by page passes the same folders with every page.
 */
export class KnownFolders {
  #folders = new Map<string, { version: string; files: readonly RolloutFile[] }>();
  #files = 0;

  /** The rollout files of a folder, newest first; none when it cannot be read. */
  async list(folder: string): Promise<readonly RolloutFile[]> {
    const stats = statSync(folder, { throwIfNoEntry: false });
    const version = stats === undefined ? "" : `${stats.ino} ${stats.mtimeMs}`;
    const known = this.#folders.get(folder);
    if (known?.version === version) return known.files;
    const files = await filesOf(folder);
    this.#forget(folder);
    // What is made right after a folder was read may leave it with the same time.
    const isSettled = stats !== undefined && Date.now() - stats.mtimeMs > settledMs;
    if (isSettled && this.#files + files.length <= mostFiles) {
      this.#folders.set(folder, { version, files });
      this.#files += files.length;
    }
    return files;
  }

  #forget(folder: string): void {
    this.#files -= this.#folders.get(folder)?.files.length ?? 0;
    this.#folders.delete(folder);
  }
}

const settledMs = 1000;

/** Some megabytes; what comes beyond is read each time. */
const mostFiles = 20_000;
