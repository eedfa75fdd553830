import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isProcessRunning, ownStart } from "../lib/process-table.js";

/**
 * Keeps empty directories for reuse: moving one is far cheaper than creating one.
 *
 * This works only within one file system; elsewhere directories are created and removed.
 * Directories left behind by a killed process are removed by the next one.
 */
export class PlaceholderPool {
  readonly #parent: string | undefined;
  readonly #name: string;
  readonly #kept: string[] = [];
  #made = 0;

  /** `parent` is a private directory; without one, nothing is pooled. */
  constructor(parent: string | undefined, id: string) {
    this.#parent = parent;
    this.#name = `${poolPrefix}${process.pid}-${ownStart()}-${id}`;
  }

  /** Puts an empty directory at a free path. Throws like `mkdir`. */
  put(path: string): void {
    const kept = this.#kept.at(-1);
    if (kept !== undefined && moved(kept, path)) this.#kept.pop();
    else mkdirSync(path, { mode: 0o755 });
  }

  /** Removes an empty directory. Throws if it is not empty. */
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
    // A file was added at the last moment, so it is no longer a placeholder.
    renameSync(place, path);
  }

  /** Removes all pooled directories. */
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
