import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUuid } from "../lib/random.js";
import { appendLines } from "./append-lines.js";
import { KnownFolders } from "./known-folders.js";
import type { ThreadFacts } from "./thread-facts.js";

/** What is remembered of a rollout file. */
export interface IndexEntry {
  /** The name of the file; a file that is put away keeps it. */
  file: string;
  /** The file that the facts were read from, for another one may have taken its name. */
  inode: number;
  facts: ThreadFacts;
}

/** Where the index of a home lies; the reference does not look at it. */
function indexPath(home: string): string {
  return join(home, "quire-threads.jsonl");
}

/**
 * Remembers what the beginnings of rollouts tell, so that long lists need not open thousands of files.
 *
 * It is only a memory: what it does not know is read from the rollouts and added, so it may be
 * deleted, cut or spoiled at any time, and several processes may use it at once.
 */
export class ThreadIndex {
  /** What is in the folders of rollouts. */
  readonly folders = new KnownFolders();
  readonly #path: string;
  /** A line of the file as it stands until somebody asks for it: most pages need few of them. */
  #entries = new Map<string, IndexEntry | string>();
  #lines = 0;
  #version = "";
  #fresh: IndexEntry[] = [];
  /** Whether there is a file that lines can be added to. */
  #isSound = false;

  constructor(home: string) {
    this.#path = indexPath(home);
  }

  /** Reads the file if it has changed since. */
  async load(): Promise<void> {
    const stats = await stat(this.#path).catch(() => undefined);
    const version = stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (version === this.#version) return;
    this.#version = version;
    const text = await readFile(this.#path, "utf8").catch(() => "");
    const lines = text.split("\n");
    this.#isSound = lines.shift() === header;
    this.#lines = 0;
    if (!this.#isSound) return;
    for (const line of lines) this.#remember(line);
  }

  /** The facts of a file; nothing when they are not known. */
  get(file: string): IndexEntry | undefined {
    const entry = this.#entries.get(file);
    if (typeof entry !== "string") return entry;
    const parsed = tryParse(entry);
    if (parsed === undefined) this.#entries.delete(file);
    else this.#entries.set(file, parsed);
    return parsed;
  }

  add(entry: IndexEntry): void {
    this.#entries.set(entry.file, entry);
    this.#fresh.push(entry);
  }

  /**
   * Keeps what was added since the file was read.
   *
   * A home that cannot be written has no index, and one with few conversations needs none.
   */
  async save(): Promise<void> {
    if (this.#fresh.length === 0) return;
    if (!this.#isSound && this.#entries.size < worthwhile) return;
    const fresh = this.#fresh;
    this.#fresh = [];
    // Several lines about the same file are worth a new index once they are most of it.
    const isBloated = this.#lines + fresh.length > 2 * this.#entries.size + 100;
    try {
      if (!this.#isSound || isBloated) await this.#rewrite();
      else await appendLines(this.#path, fresh.map(toLine).join(""));
    } catch {
      // The next list reads the beginnings of the files again.
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

  async #rewrite(): Promise<void> {
    const draft = `${this.#path}.${randomUuid()}`;
    const text = `${header}\n${[...this.#entries.keys()].map((file) => this.#toLine(file)).join("")}`;
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

const worthwhile = 200;

/** An entry begins with its file, whose name needs no escapes. */
const lineOfFile = /^\{"file":"([^"\\]+)",/;

/** An index of another form is made anew. */
const header = '{"quire_threads":1}';

function toLine(entry: IndexEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

function tryParse(line: string): IndexEntry | undefined {
  if (line === "") return undefined;
  try {
    const entry = JSON.parse(line) as Partial<IndexEntry>;
    const isWhole =
      typeof entry.file === "string" &&
      typeof entry.inode === "number" &&
      typeof entry.facts?.id === "string" &&
      typeof entry.facts.preview === "string";
    return isWhole ? (entry as IndexEntry) : undefined;
  } catch {
    return undefined;
  }
}
