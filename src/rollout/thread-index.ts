import { statSync } from "node:fs";
import { join } from "node:path";
import { type FileEntry, FileIndex } from "./file-index.js";
import { filesOf, type RolloutFile } from "./files.js";
import type { ThreadFacts } from "./head.js";

/** What is remembered of a rollout file. */
export interface IndexEntry extends FileEntry {
  facts: ThreadFacts;
}

/** Caches what the beginnings of rollouts tell, so that long lists need not open thousands of files. */
export class ThreadIndex extends FileIndex<IndexEntry> {
  /** What is in the folders of rollouts. */
  readonly folders = new KnownFolders();

  constructor(home: string) {
    super({
      path: join(home, "quire-threads.jsonl"), // the reference does not look at it
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
