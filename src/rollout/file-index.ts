import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { randomUuid } from "../lib/ids.js";
import { appendLines } from "./sidecar.js";

/** An entry of an index: facts about one rollout file. */
export interface FileEntry {
  /** File name; archiving does not change it. */
  file: string;
  /** Inode the facts were read from: another file may have taken the name. */
  inode: number;
}

/** Options for an index file. */
export interface FileIndexOptions<Entry extends FileEntry> {
  path: string;
  /** First line; a file with a different one is replaced. */
  header: string;
  /** Type guard for parsed lines. */
  isEntry(value: Partial<Entry>): value is Entry;
  /** Minimum number of entries before a file is written. */
  worthwhile: number;
}

/**
 * Caches facts about rollout files in a file of the home, one line per rollout.
 *
 * Missing entries are read from the rollouts and added, so the file may be deleted, truncated or
 * corrupted at any time, and several processes may use it at once.
 */
export class FileIndex<Entry extends FileEntry> {
  readonly #options: FileIndexOptions<Entry>;
  /** Lines are parsed on first use: most pages need few of them. */
  #entries = new Map<string, Entry | string>();
  #lines = 0;
  #version = "";
  #fresh: Entry[] = [];
  /** True if the file exists and lines can be appended to it. */
  #isSound = false;

  constructor(options: FileIndexOptions<Entry>) {
    this.#options = options;
  }

  get #path(): string {
    return this.#options.path;
  }

  /** Reads the file if it has changed since the last call. */
  async load(): Promise<void> {
    const stats = await stat(this.#path).catch(() => undefined);
    const version = stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (version === this.#version) return;
    this.#version = version;
    const text = await readFile(this.#path, "utf8").catch(() => "");
    const lines = text.split("\n");
    this.#isSound = lines.shift() === this.#options.header;
    this.#lines = 0;
    if (!this.#isSound) return;
    for (const line of lines) this.#remember(line);
  }

  /** Returns the facts of a file, if cached. */
  get(file: string): Entry | undefined {
    const entry = this.#entries.get(file);
    if (typeof entry !== "string") return entry;
    const parsed = this.#parse(entry);
    if (parsed === undefined) this.#entries.delete(file);
    else this.#entries.set(file, parsed);
    return parsed;
  }

  add(entry: Entry): void {
    this.#entries.set(entry.file, entry);
    this.#fresh.push(entry);
  }

  /**
   * Persists the entries added since `load`.
   *
   * Does nothing if the home is not writable or has few conversations.
   */
  async save(): Promise<void> {
    if (this.#fresh.length === 0) return;
    if (!this.#isSound && this.#entries.size < this.#options.worthwhile) return;
    const fresh = this.#fresh;
    this.#fresh = [];
    // Rewrites the index once most of its lines are outdated duplicates.
    const isBloated = this.#lines + fresh.length > 2 * this.#entries.size + 100;
    try {
      if (!this.#isSound || isBloated) await this.#rewrite();
      else await appendLines(this.#path, fresh.map(toLine).join(""));
    } catch {
      // The next list reads the heads of these files again.
    }
  }

  #remember(line: string): void {
    this.#lines++;
    const file = lineOfFile.exec(line)?.[1];
    if (file !== undefined) this.#entries.set(file, line);
  }

  #toLine(file: string): string {
    const entry = this.get(file);
    return entry === undefined ? "" : toLine(entry);
  }

  #parse(line: string): Entry | undefined {
    try {
      const entry = JSON.parse(line) as Partial<Entry>;
      return this.#options.isEntry(entry) ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  async #rewrite(): Promise<void> {
    const draft = `${this.#path}.${randomUuid()}`;
    const text = `${this.#options.header}\n${[...this.#entries.keys()].map((file) => this.#toLine(file)).join("")}`;
    try {
      await writeFile(draft, text, { flag: "wx", mode: 0o600 });
      await rename(draft, this.#path);
      this.#isSound = true;
      this.#lines = this.#entries.size;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

/** Matches the file name at the start of an entry; file names need no escapes. */
const lineOfFile = /^\{"file":"([^"\\]+)",/;

function toLine(entry: FileEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
