import { join } from "node:path";
import { type FileEntry, FileIndex } from "./file-index.js";
import { KnownFolders } from "./known-folders.js";
import type { ThreadFacts } from "./thread-facts.js";

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
