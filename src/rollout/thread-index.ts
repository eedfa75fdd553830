import { statSync } from "node:fs";
import { join } from "node:path";
import { type FileEntry, FileIndex } from "./file-index.js";
import { filesOf, type RolloutFile } from "./files.js";
import type { ThreadFacts } from "./head.js";

/** Cached facts of a rollout file. */
export interface IndexEntry extends FileEntry {
  facts: ThreadFacts;
}

/** Caches the heads of rollouts, so that long lists do not open thousands of files. */
export class ThreadIndex extends FileIndex<IndexEntry> {
  /** Cached contents of the rollout folders. */
  readonly folders = new KnownFolders();

  constructor(home: string) {
    super({
      path: join(home, "quire-threads.jsonl"), // the reference ignores this file
      header: '{"quire_threads":1}',
      isEntry,
      worthwhile: 200,
    });
  }
}

function isEntry(entry: Partial<IndexEntry>): entry is IndexEntry {
  return (
    typeof entry.file === "string" &&
    typeof entry.inode === "number" &&
    typeof entry.facts?.id === "string" &&
    typeof entry.facts.preview === "string"
  );
}

/**
 * Caches the rollouts of each folder until the folder changes.
 *
 * Paging through a long list reads the same folders for every page.
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
    // A file created right after the read may leave the folder's time unchanged.
    const isSettled = stats !== undefined && Date.now() - stats.mtimeMs > settledMs;
    if (isSettled && this.#files + files.length <= maxFiles) {
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

/** A few megabytes; further folders are read each time. */
const maxFiles = 20_000;
