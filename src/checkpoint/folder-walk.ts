import { type Dirent, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { addRules, type IgnoreRules, ignoredIn } from "../search/index.js";
import type { BlobStore } from "./blob-store.js";
import {
  type FileState,
  largestFile,
  linkState,
  permissions,
  readState,
  statOf,
  type Unsaved,
} from "./file-state.js";
import type { FolderWatch, PossibleChanges } from "./folder-watch.js";
import type { CheckpointLimit } from "./manifest.js";

/** A file or link of a snapshot. */
export interface FileEntry {
  kind: "file";
  stamp: Stamp;
  /** State, if it is stored. */
  state?: FileState;
  /** Object of git that has the contents of an unchanged file. */
  gitObject?: string;
  /** Set if the contents are not stored. */
  unsaved?: Unsaved;
}

/** A folder of a snapshot. */
export interface FolderEntry {
  kind: "folder";
  stamp: Stamp;
  mode: number;
  children: ReadonlyMap<string, Entry>;
  /** Ignore rules of its parents, and those that apply in it. */
  above: IgnoreRules | undefined;
  rules: IgnoreRules | undefined;
  /** Files with ignore rules in it, and their stamps. */
  ruleFiles: readonly string[];
  ruleStamp: string;
  /** Number of paths below it that are looked at. */
  count: number;
}

/** A path that is not looked at: nothing is known of it. */
export interface LeftOutEntry {
  kind: "left-out";
}

export type Entry = FileEntry | FolderEntry | LeftOutEntry;

/** The entry of all paths that are not looked at. */
export const leftOut: LeftOutEntry = { kind: "left-out" };

/** Changes when a file is written, replaced, or its mode changes. */
interface Stamp {
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
  /** Type and permission bits. */
  typeAndMode: number;
  mode: number;
  size: number;
  /** True if it was taken so soon after a change that another one may look the same. */
  isFresh: boolean;
}

/** Options for {@link FolderWalk}. */
export interface WalkOptions {
  store: BlobStore;
  isRepository: boolean;
  /** Folders and files to skip: the agent's home, and paths that rules deny. */
  isSkipped(path: string): boolean;
  /** Returns the object of git with the contents of a file, if the file is unchanged. */
  gitObjectOf?(path: string, stats: Stats): string | undefined;
  /** State of a file from an earlier process. */
  known?(path: string, stamp: Stamp): FileState | undefined;
  maxFiles: number;
  maxFileBytes?: number | undefined;
  /** Most files in a folder; larger folders are left out. */
  maxFolderFiles?: number | undefined;
  /** Most bytes to store. */
  maxBytes: number;
  /** Reports changes from now on; a folder is added before it is looked at. */
  watch?: Pick<FolderWatch, "add" | "addUnwatched" | "addLinked"> | undefined;
  /** What may have changed since the walk before; everything, if not given. */
  changes?: PossibleChanges | undefined;
  /** Abort the walk. */
  signals: readonly AbortSignal[];
}

/**
 * Walks a folder with the ignore rules of file search and stores the contents of changed files.
 *
 * Entries that did not change since the walk before are the same objects. Links are not followed.
 * Synchronous calls in short slices: asynchronous ones take five times as long.
 */
export class FolderWalk {
  readonly #options: WalkOptions;
  readonly limits = new Set<CheckpointLimit>();
  #files = 0;
  #bytes = 0;
  readonly #now = Date.now();
  #sliceEnd = performance.now() + sliceMs;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** Returns the state of a folder; undefined if it is missing or has too many files. */
  async walk(
    path: string,
    before: FolderEntry | undefined,
    rulesAbove: IgnoreRules | undefined,
  ): Promise<FolderEntry | undefined> {
    const stats = statOf(path);
    if (!stats?.isDirectory()) return undefined;
    const entry = await this.#folder(path, stats, before, rulesAbove);
    return this.limits.has("files") || entry?.kind !== "folder" ? undefined : entry;
  }

  async #folder(
    path: string,
    stats: Stats,
    before: FolderEntry | undefined,
    above: IgnoreRules | undefined,
  ): Promise<FolderEntry | LeftOutEntry | undefined> {
    const { changes, watch } = this.#options;
    const isWatched = changes?.isWatched(path) === true;
    watch?.add(path, stats);
    const first = this.#files;
    const stamp = this.#stampOf(stats);
    const mode = stats.mode & permissions;
    const old = before?.above === above ? before : undefined;
    const unchanged = old !== undefined && isSame(old.stamp, stamp) ? old : undefined;
    const listed = unchanged ? undefined : readFolder(path);
    const ruleFiles = unchanged?.ruleFiles ?? ruleFilesIn(listed ?? []);
    // The folder of git is not watched.
    if (ruleFiles.includes(excludeFile)) watch?.addUnwatched(path);
    const ruleStamp = stampOfFiles(path, ruleFiles);
    const hasSameRules = old?.ruleStamp === ruleStamp;
    const rules = hasSameRules ? old.rules : await this.#rulesIn(path, ruleFiles, above);
    const isSameList = unchanged !== undefined && hasSameRules;
    const names = isSameList
      ? [...unchanged.children.keys()]
      : this.#namesIn(path, listed ?? readFolder(path), rules);
    if (names === undefined) return leftOut;
    const found: (Entry | undefined)[] = [];
    let isSameTree = isSameList && unchanged.mode === mode;
    const start = path.endsWith("/") ? path : `${path}/`;
    for (const name of names) {
      const was = before?.children.get(name);
      const at = start + name;
      const known = isWatched ? this.#unchangedEntry(at, was, rules) : undefined;
      // A promise for each file would take as long as looking at it.
      const isLate = known !== undefined || performance.now() > this.#sliceEnd;
      const childStats = isLate ? undefined : statOf(at);
      const quick = known ?? this.#quickFile(at, was, childStats);
      const child = quick ?? (await this.#child(at, was, rules, childStats));
      if (this.limits.has("files")) return undefined;
      if (child !== was) isSameTree = false;
      found.push(child);
    }
    if (isSameTree) return unchanged;
    const children = new Map<string, Entry>();
    for (const [index, name] of names.entries()) {
      const child = found[index];
      if (child !== undefined) children.set(name, child);
    }
    const count = this.#files - first;
    return { kind: "folder", stamp, mode, children, above, rules, ruleFiles, ruleStamp, count };
  }

  #rulesIn(path: string, ruleFiles: readonly string[], above: IgnoreRules | undefined) {
    return ruleFiles.length === 0 ? above : addRules(path, above, this.#options.isRepository);
  }

  /** Returns an entry that is known to be unchanged, with everything below it. */
  #unchangedEntry(
    path: string,
    old: Entry | undefined,
    rules: IgnoreRules | undefined,
  ): Entry | undefined {
    const { changes, maxFiles } = this.#options;
    if (old === undefined || changes?.has(path) !== false) return undefined;
    if (old.kind !== "file" && !changes.isWatched(path)) return undefined;
    if (old.kind === "folder" && old.above !== rules) return undefined;
    this.#files += old.kind === "folder" ? old.count + 1 : 1;
    if (this.#files > maxFiles) this.limits.add("files");
    return old;
  }

  /** Returns the entry of a file that did not change, or whose contents are stored elsewhere. */
  #quickFile(
    path: string,
    old: Entry | undefined,
    stats: Stats | undefined,
  ): FileEntry | undefined {
    if (stats === undefined || stats.isDirectory()) return undefined;
    const isSame = old?.kind === "file" && isStampOf(old.stamp, stats);
    const entry = isSame ? old : this.#storedFile(path, stats, this.#stampOf(stats));
    if (entry === undefined) return undefined;
    if (stats.nlink > 1) this.#options.watch?.addLinked(path);
    if (++this.#files > this.#options.maxFiles) this.limits.add("files");
    return entry;
  }

  async #child(
    path: string,
    old: Entry | undefined,
    rules: IgnoreRules | undefined,
    seen: Stats | undefined,
  ): Promise<Entry | undefined> {
    const isLate = performance.now() > this.#sliceEnd;
    if (isLate) await this.#pause();
    const stats = isLate ? statOf(path) : (seen ?? statOf(path));
    if (stats === undefined) return undefined;
    if (++this.#files > this.#options.maxFiles) {
      this.limits.add("files");
      return undefined;
    }
    if (stats.isDirectory()) {
      return this.#folder(path, stats, old?.kind === "folder" ? old : undefined, rules);
    }
    if (stats.nlink > 1) this.#options.watch?.addLinked(path);
    const stamp = this.#stampOf(stats);
    if (old?.kind === "file" && isSame(old.stamp, stamp)) return old;
    return this.#file(path, stats, stamp);
  }

  /** Returns the entry of a file whose contents an earlier process has stored, or git has. */
  #storedFile(path: string, stats: Stats, stamp: Stamp): FileEntry | undefined {
    const { gitObjectOf, known } = this.#options;
    if (!stats.isFile()) return undefined;
    const state = stamp.isFresh ? undefined : known?.(path, stamp);
    if (state !== undefined) return { kind: "file", stamp, state };
    const gitObject = gitObjectOf?.(path, stats);
    return gitObject === undefined ? undefined : { kind: "file", stamp, gitObject };
  }

  async #file(path: string, stats: Stats, stamp: Stamp): Promise<FileEntry> {
    const { store, maxFileBytes = largestFile, maxBytes } = this.#options;
    const file = { kind: "file", stamp } as const;
    if (stats.isSymbolicLink()) {
      return { ...file, ...readLink(path) };
    }
    const stored = this.#storedFile(path, stats, stamp);
    if (stored !== undefined) return stored;
    if (stats.isFile() && stats.size <= maxFileBytes && this.#bytes + stats.size > maxBytes) {
      this.limits.add("bytes");
      return { ...file, unsaved: "not-stored" };
    }
    const result = await readState(path, store, maxFileBytes);
    if ("unsaved" in result) return { ...file, unsaved: result.unsaved };
    // Deleted or replaced since the stat: the next walk sees it.
    if (result.state?.kind !== "file") return { ...file, unsaved: "unreadable" };
    this.#bytes += result.state.size;
    return { ...file, state: result.state };
  }

  #namesIn(
    path: string,
    listed: readonly Dirent[],
    rules: IgnoreRules | undefined,
  ): string[] | undefined {
    const { isSkipped, maxFolderFiles = Number.POSITIVE_INFINITY } = this.#options;
    const isIgnored = ignoredIn(path, rules);
    const names: string[] = [];
    const start = path.endsWith("/") ? path : `${path}/`;
    let files = 0;
    for (const entry of listed) {
      // Node replaces bytes that are not UTF-8, so that the path leads nowhere.
      if (entry.name.includes("\ufffd") && statOf(start + entry.name) === undefined) {
        this.limits.add("names");
        continue;
      }
      const isFolder = entry.isDirectory();
      if ((isFolder && entry.name === ".git") || isIgnored(entry.name, isFolder)) continue;
      if (isSkipped(start + entry.name)) continue;
      if (!isFolder) files++;
      names.push(entry.name);
    }
    if (files <= maxFolderFiles) return names;
    this.limits.add("roots");
    return undefined;
  }

  #stampOf({ ino, size, mtimeMs, ctimeMs, mode }: Stats): Stamp {
    const isFresh = Math.max(mtimeMs, ctimeMs) > this.#now - clockTickMs;
    return {
      ino,
      mtimeMs,
      ctimeMs,
      typeAndMode: mode,
      mode: mode & permissions,
      size,
      isFresh,
    };
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resume) => setImmediate(resume));
    for (const signal of this.#options.signals) signal.throwIfAborted();
    this.#sliceEnd = performance.now() + sliceMs;
  }
}

/** Returns the values of a stamp as text, for what is stored. */
export function stampText({ ino, size, mtimeMs, ctimeMs, typeAndMode }: Stamp): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs} ${typeAndMode}`;
}

/** Longest time that a walk holds the event loop. */
const sliceMs = 8;
/** Two changes within this time may have the same time stamp. */
const clockTickMs = 20;

function isSame(one: Stamp, { ino, size, mtimeMs, ctimeMs, typeAndMode: mode }: Stamp): boolean {
  return isStampOf(one, { ino, size, mtimeMs, ctimeMs, mode });
}

/** Returns true if metadata are those of a stamp that nothing can have changed unseen. */
function isStampOf(stamp: Stamp, stats: StampValues): boolean {
  return (
    !stamp.isFresh &&
    stamp.mtimeMs === stats.mtimeMs &&
    stamp.ctimeMs === stats.ctimeMs &&
    stamp.size === stats.size &&
    stamp.ino === stats.ino &&
    stamp.typeAndMode === stats.mode
  );
}

type StampValues = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode">;

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return []; // not readable
  }
}

function readLink(path: string): ReturnType<typeof linkState> {
  try {
    return linkState(readlinkSync(path, { encoding: "buffer" }));
  } catch {
    return { unsaved: "unreadable" };
  }
}

const excludeFile = join(".git", "info", "exclude");

/** Returns the files with ignore rules in a folder. */
function ruleFilesIn(listed: readonly Dirent[]): string[] {
  return listed.flatMap(({ name }) => {
    if (name === ".git") return [excludeFile];
    return name === ".gitignore" || name === ".ignore" ? [name] : [];
  });
}

function stampOfFiles(folder: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const stats = statOf(join(folder, name));
      return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.ctimeMs}`;
    })
    .join("|");
}
