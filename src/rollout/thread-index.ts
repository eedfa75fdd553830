import { statSync } from "node:fs";
import { join } from "node:path";
import { ChangeOrder } from "./change-order.js";
import { type FileEntry, FileIndex } from "./file-index.js";
import { filesOf, type RolloutFile } from "./files.js";
import type { ThreadFacts } from "./head.js";
import { namesPath, readThreadNames } from "./sidecar.js";

/** Cached facts of a rollout file. */
export interface IndexEntry extends FileEntry {
  facts: ThreadFacts;
}

/** Caches the heads of rollouts, so that long lists do not open thousands of files. */
export class ThreadIndex extends FileIndex<IndexEntry> {
  /** Cached contents of the rollout folders. */
  readonly folders = new KnownFolders();
  /** Cached names of threads. */
  readonly names: KnownNames;
  readonly #changes = { active: new ChangeOrder(), archived: new ChangeOrder() };

  constructor(home: string) {
    super({
      path: join(home, "quire-threads.jsonl"), // the reference ignores this file
      header: '{"quire_threads":1}',
      isEntry,
      worthwhile: 200,
    });
    this.names = new KnownNames(home);
  }

  /** Returns the active or archived files in the order of their last change. */
  changesOf(archived: boolean): ChangeOrder {
    return archived ? this.#changes.archived : this.#changes.active;
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

/** Some 250 bytes each; further folders are read each time. */
const maxFiles = 200_000;

/** Caches the names of threads until their file changes. */
class KnownNames {
  readonly #home: string;
  #version = "";
  #names: ReadonlyMap<string, string> = new Map();

  constructor(home: string) {
    this.#home = home;
  }

  /** Returns the names of all named conversations, by id. */
  async read(): Promise<ReadonlyMap<string, string>> {
    const stats = statSync(namesPath(this.#home), { throwIfNoEntry: false });
    const version = stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (version === this.#version) return this.#names;
    const names = await readThreadNames(this.#home);
    this.#names = names;
    this.#version = version;
    return names;
  }
}
