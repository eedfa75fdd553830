import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isProcessRunning, ownStart } from "../lib/process-table.js";

/**
 * Keeps empty directories for the next use: moving one is far cheaper than making one.
 *
 * It only works where both places are on one file system; everywhere else directories are made and
 * removed. What a killed process left behind is removed by the next one.
 */
export class PlaceholderPool {
  readonly #parent: string | undefined;
  readonly #name: string;
  readonly #kept: string[] = [];
  #made = 0;

  /** `parent` is a directory of ours; without one nothing is kept. */
  constructor(parent: string | undefined, id: string) {
    this.#parent = parent;
    this.#name = `${poolPrefix}${process.pid}-${ownStart()}-${id}`;
  }

  /** Puts an empty directory at a path where nothing is. Throws as `mkdir` does. */
  put(path: string): void {
    const kept = this.#kept.at(-1);
    if (kept !== undefined && moved(kept, path)) this.#kept.pop();
    else mkdirSync(path, { mode: 0o755 });
  }

  /** Takes an empty directory away. Throws when it is not empty. */
  take(path: string): void {
    const place = this.#freePlace();
    if (place === undefined || !moved(path, place)) {
      rmdirSync(path);
      return;
    }
    if (readdirSync(place).length === 0) {
      this.#kept.push(place);
      return;
    }
    // Something was put into it at the last moment, so it is not ours any more.
    renameSync(place, path);
  }

  /** Removes all that is kept. */
  close(): void {
    this.#kept.length = 0;
    if (this.#parent !== undefined && this.#made > 0) {
      rmSync(join(this.#parent, this.#name), { recursive: true, force: true });
    }
    this.#made = 0;
  }

  #freePlace(): string | undefined {
    if (this.#parent === undefined || this.#kept.length >= mostKept) return undefined;
    const directory = join(this.#parent, this.#name);
    if (this.#made === 0) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        removeAbandoned(this.#parent);
      } catch {
        return undefined;
      }
    }
    return join(directory, String(this.#made++));
  }
}

const poolPrefix = "placeholders-";
const mostKept = 256;

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(poolPrefix)) continue;
    const [pid, start = ""] = name.slice(poolPrefix.length).split("-");
    if (isProcessRunning(Number(pid), start)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}
