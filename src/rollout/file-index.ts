import type { Stats } from "node:fs";
import { type FileHandle, open, rename, rm, stat, writeFile } from "node:fs/promises";
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
  #file: FileState | undefined;
  #loading: Promise<void> | undefined;
  #fresh: Entry[] = [];
  /** True if the file exists and lines can be appended to it. */
  #isSound = false;

  constructor(options: FileIndexOptions<Entry>) {
    this.#options = options;
  }

  get #path(): string {
    return this.#options.path;
  }

  /** Reads what has changed in the file since the last call. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const stats = await stat(this.#path).catch(() => undefined);
    const before = this.#file;
    const is = stats && stateOf(stats);
    if (is?.version === before?.version) return;
    this.#file = is;
    // Writers append, or replace the file.
    const isLonger = this.#isSound && before?.identity === is?.identity;
    if (before !== undefined && is !== undefined && isLonger && before.end <= is.end) {
      is.end = await this.#readLines(before.end);
      return;
    }
    this.#isSound = false;
    this.#lines = 0;
    if (is !== undefined) is.end = await this.#readLines(0);
  }

  /** Reads the complete lines from an offset on; returns the offset after them. */
  async #readLines(start: number): Promise<number> {
    let end = start;
    try {
      const file = await open(this.#path);
      try {
        for await (const text of wholeLines(file, start)) {
          const lines = text.split("\n");
          if (end === 0) this.#isSound = lines.shift() === this.#options.header;
          if (!this.#isSound) return 0;
          for (const line of lines) this.#remember(line);
          end += Buffer.byteLength(text) + 1;
        }
      } finally {
        await file.close();
      }
    } catch {
      // The file was deleted meanwhile; what it had is read from the rollouts.
    }
    return end;
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
    try {
      await writeFile(draft, this.#chunks(), { flag: "wx", mode: 0o600 });
      await rename(draft, this.#path);
      this.#isSound = true;
      this.#lines = this.#entries.size;
    } finally {
      await rm(draft, { force: true });
    }
  }

  *#chunks(): Generator<string> {
    let text = `${this.#options.header}\n`;
    for (const entry of this.#entries.values()) {
      text += typeof entry === "string" ? `${entry}\n` : toLine(entry);
      if (text.length < mb) continue;
      yield text;
      text = "";
    }
    yield text;
  }
}

const mb = 1024 * 1024;

/** Yields the lines of a file from an offset on, many at a time; an incomplete last line is omitted. */
async function* wholeLines(file: FileHandle, start: number): AsyncGenerator<string> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let kept = 0;
  for (let at = start; ; ) {
    const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    const filled = kept + bytesRead;
    const end = buffer.lastIndexOf(0x0a, filled - 1);
    if (end >= 0) yield buffer.toString("utf8", 0, end);
    kept = filled - (end + 1);
    buffer.copyWithin(0, end + 1, filled);
    if (kept === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(kept)]);
  }
}

const chunkBytes = 2 * mb;

/** A version of the file. */
interface FileState {
  /** Differs after the file was replaced. */
  identity: string;
  /** Differs after any change. */
  version: string;
  /** Offset after the lines that were read. */
  end: number;
}

function stateOf({ ino, birthtimeMs, size, mtimeMs }: Stats): FileState {
  const identity = `${ino} ${birthtimeMs}`;
  return { identity, version: `${identity} ${size} ${mtimeMs}`, end: size };
}

/** Matches the file name at the start of an entry; file names need no escapes. */
const lineOfFile = /^\{"file":"([^"\\]+)",/;

function toLine(entry: FileEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
