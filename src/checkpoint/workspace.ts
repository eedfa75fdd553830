import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { realPath } from "../lib/files.js";
import { withSignals } from "../lib/join-signals.js";
import { replaceFile } from "../lib/replace-file.js";
import { findRepository } from "../project/index.js";
import { ignoredIn, rulesAbove } from "../search/index.js";
import type { BlobStore } from "./blob-store.js";
import { type FileState, statOf } from "./file-state.js";
import {
  type Entry,
  type FileEntry,
  type FolderEntry,
  FolderWalk,
  type LeftOutEntry,
  leftOut,
  stampText,
  type WalkOptions,
} from "./folder-walk.js";
import { FolderWatch } from "./folder-watch.js";
import { type GitIndex, readGitIndex } from "./git-index.js";
import { readGitObjects } from "./git-objects.js";
import type { CheckpointLimit } from "./manifest.js";
import { generationOf } from "./quota.js";

/** Folder whose files commands may change, and what of it is left out. */
export interface WorkspaceOptions {
  /** Folder `checkpoints` of the home. */
  storeFolder: string;
  store: BlobStore;
  home: string;
  env: NodeJS.ProcessEnv;
  maxFiles?: number | undefined;
  maxFileBytes?: number | undefined;
  maxFolderFiles?: number | undefined;
  maxBytes?: number | undefined;
  /** Files from which on changes are watched. */
  watchedFrom?: number | undefined;
}

/** Signals for {@link Workspace.walk}. */
export interface WalkSignals {
  /** Aborts the walk. */
  signal?: AbortSignal | undefined;
  /** Once aborted, only paths that the system has reported are looked at, if that is possible. */
  hurry?: AbortSignal | undefined;
}

/** Paths that rules deny; they are never read. */
export interface DeniedPaths {
  isDenied(path: string): boolean;
  /** Differs if other paths are denied. */
  key: string;
}

/** A path that differs between two walks. */
export interface Difference {
  path: string;
  before: FileEntry | FolderEntry | undefined;
  after: Entry | undefined;
}

/** A folder and its files as of the last walk. Contents that commands may change are stored beforehand. */
export class Workspace {
  readonly root: string;
  readonly #options: WorkspaceOptions;
  readonly limits = new Set<CheckpointLimit>();
  #last: FolderEntry | undefined;
  #saved: FolderEntry | undefined;
  #known: Map<string, [string, FileState]> | undefined;
  #generation: string | undefined;
  #denied: DeniedPaths | undefined;
  #watch: FolderWatch | undefined;
  /** True if a walk has looked at all files since the watch was opened. */
  #isAllWatched = false;
  #watchesLeft = mostWatches;
  /** Inode of the folder that the watch was opened for. */
  #watchedIno: number | undefined;

  constructor(root: string, options: WorkspaceOptions) {
    this.root = realPath(root);
    this.#options = options;
  }

  /** Sets the paths that rules deny from now on; call it between turns. */
  deny(denied: DeniedPaths | undefined): void {
    // Folders that did not change are listed again.
    if (denied?.key !== this.#denied?.key) this.#last = undefined;
    this.#denied = denied;
  }

  /** True after the first walk. */
  get isWalked(): boolean {
    return this.#last !== undefined;
  }

  /** True if the folder has more files than are looked at. */
  get isTooLarge(): boolean {
    return this.limits.has("files");
  }

  /** Walks the folder; returns undefined if it has too many files. Rejects if the signal aborts. */
  async walk({ signal, hurry }: WalkSignals = {}): Promise<FolderEntry | undefined> {
    if (this.isTooLarge) return undefined;
    const generation = generationOf(this.#options.storeFolder);
    // Blobs were removed meanwhile, maybe those of unchanged files.
    if (generation !== this.#generation) this.#last = undefined;
    this.#generation = generation;
    this.#known ??= readKnown(this.#knownFile, generation);
    const index = this.#last === undefined ? this.#readIndex() : undefined;
    this.#openWatch(this.#last?.count ?? Math.max(index?.count ?? 0, this.#known.size));
    const signals = signal === undefined ? [] : [signal];
    if (hurry !== undefined && this.#canHurry) {
      const calm = hurry.aborted ? undefined : await this.#walkUnless(hurry, signals);
      if (calm !== undefined) return calm.folder;
      const changed = await this.#walkChanges(signals);
      if (changed !== undefined) return changed;
    }
    return await this.#walkAll(signals, index);
  }

  /** Looks at all files while nothing waits for it; returns undefined if something does before its end. */
  async #walkUnless(
    hurry: AbortSignal,
    signals: readonly AbortSignal[],
  ): Promise<{ folder: FolderEntry | undefined } | undefined> {
    try {
      return await withSignals([hurry, ...signals], async (either) => {
        await setTimeout(calmMs, undefined, { signal: either });
        return { folder: await this.#walkAll([either]) };
      });
    } catch (error) {
      if (!hurry.aborted || signals.some(({ aborted }) => aborted)) throw error;
      return undefined;
    }
  }

  #readIndex(): GitIndex | undefined {
    const repository = findRepository(this.root);
    return repository && readGitIndex(repository, this.#options.env);
  }

  /** Looks at all files. The index of git is of use as long as nothing is known of them. */
  async #walkAll(
    signals: readonly AbortSignal[],
    index?: GitIndex,
  ): Promise<FolderEntry | undefined> {
    this.#watch?.begin();
    const last = await this.#walkWith({ signals }, index);
    this.#watch?.settle();
    this.#isAllWatched = this.#watch !== undefined;
    return last;
  }

  /** Looks only at paths that changed as far as the watch knows; undefined if it does not know. */
  async #walkChanges(signals: readonly AbortSignal[]): Promise<FolderEntry | undefined> {
    const watch = this.#watch;
    const before = this.#last;
    const changes = await watch?.changes();
    if (watch === undefined || before === undefined || changes === undefined) return undefined;
    const last = await this.#walkWith({ signals, changes });
    // Another file may have been changed through such a name.
    const hasLinks = watch.hasNewLinks || changes.named.some((path) => this.#isGone(path, before));
    if (last === undefined || hasLinks) return undefined;
    watch.settle();
    this.#watchesLeft = mostWatches;
    return last;
  }

  /** True for a path that came and went since a walk. */
  #isGone(path: string, before: FolderEntry): boolean {
    return statOf(path) === undefined && entryAt(this.root, before, path)?.kind !== "file";
  }

  async #walkWith(
    how: Pick<WalkOptions, "signals" | "changes">,
    index?: GitIndex,
  ): Promise<FolderEntry | undefined> {
    const { store, home, maxFileBytes, maxFolderFiles } = this.#options;
    const denied = this.#denied;
    const known = this.#known;
    const { isRepository, rules } = await rulesAbove(this.root);
    const ownHome = realPath(home);
    const walk = new FolderWalk({
      ...how,
      store,
      isRepository,
      isSkipped: (path) => path === ownHome || denied?.isDenied(path) === true,
      ...(index && { gitObjectOf: (path, stats) => index.objectOf(path, stats) }),
      known: (path, stamp) => {
        const entry = known?.get(path);
        return entry !== undefined && entry[0] === stampText(stamp) ? entry[1] : undefined;
      },
      maxFiles: this.#options.maxFiles ?? mostFiles,
      maxFileBytes,
      maxFolderFiles,
      maxBytes: this.#options.maxBytes ?? mostBytes,
      watch: this.#watch,
    });
    const above = this.#last === undefined ? rules : this.#last.above;
    this.#last = await walk.walk(this.root, this.#last, above);
    for (const limit of walk.limits) this.limits.add(limit);
    return this.#last;
  }

  /** Watches a folder that has many files as far as is known, so that later walks can hurry. */
  #openWatch(count: number): void {
    const stats = statOf(this.root);
    const isOther = this.#watchedIno !== stats?.ino;
    if (this.#watch?.isClosed || isOther) {
      this.#watch?.close();
      this.#watch = undefined;
    }
    if (this.#watch !== undefined) return;
    this.#isAllWatched = false;
    const { watchedFrom = fewestWatched, storeFolder } = this.#options;
    if (stats === undefined || count < watchedFrom || this.#watchesLeft === 0) return;
    this.#watchesLeft--;
    this.#watchedIno = stats.ino;
    this.#watch = FolderWatch.open(this.root, storeFolder, stats);
  }

  /** True if all changes since the last walk are known, or will be with their events. */
  get #canHurry(): boolean {
    return this.#watch !== undefined && this.#last !== undefined && this.#isAllWatched;
  }

  /** Ends the watch, if there is one. */
  close(): void {
    this.#watch?.close();
  }

  /** Returns the state of entries of a walk; undefined for those whose contents are not stored. */
  async statesOf(entries: readonly FileEntry[]): Promise<Map<FileEntry, FileState>> {
    const states = new Map<FileEntry, FileState>();
    const inGit: (FileEntry & { gitObject: string })[] = [];
    for (const entry of entries) {
      if (entry.state !== undefined) states.set(entry, entry.state);
      else if (entry.gitObject !== undefined) inGit.push(entry as (typeof inGit)[number]);
    }
    if (inGit.length === 0) return states;
    const { home, env, store } = this.#options;
    const place = { cwd: this.root, home, env };
    for await (const { entry, bytes } of readGitObjects(place, inGit)) {
      const { mode } = entry.stamp;
      states.set(entry, { kind: "file", mode, hash: store.put(bytes), size: bytes.length });
    }
    return states;
  }

  /** Remembers the contents of files for later processes. */
  async save(): Promise<void> {
    if (this.#last === undefined || this.#last === this.#saved) return;
    this.#saved = this.#last;
    const entries: [string, string, FileState][] = [];
    forEachFile(this.root, this.#last, (path, { stamp, state }) => {
      if (state?.kind === "file" && !stamp.isFresh) entries.push([path, stampText(stamp), state]);
    });
    if (entries.length === 0 && !existsSync(this.#knownFile)) return;
    await mkdir(dirname(this.#knownFile), { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ generation: this.#generation, entries });
    await replaceFile(this.#knownFile, text, { mode: 0o600 });
  }

  get #knownFile(): string {
    const name = createHash("sha256").update(this.root).digest("hex").slice(0, 32);
    return join(this.#options.storeFolder, "roots", `${name}.json`);
  }
}

/** A model that answers sooner leaves no time for a walk. */
const calmMs = 20;
/** Smaller folders are walked in a few milliseconds. */
const fewestWatched = 2000;
/** Watches that are opened again without having been of use. */
const mostWatches = 3;
/** Limits of a walk. */
const mostFiles = 50_000;
const mostBytes = 512 * 1024 * 1024;

/**
 * Lists the paths that differ between two walks, folders before their contents.
 *
 * A path that was not looked at before is left out: it may have been there. One that is not looked at
 * any more has the entry `left-out`.
 */
export function* differences(
  path: string,
  before: Entry | undefined,
  after: Entry | undefined,
): Generator<Difference> {
  if (before === after || before?.kind === "left-out") return;
  const [old, now] = [childrenOf(before), childrenOf(after)];
  const isSameFolder =
    before?.kind === "folder" && after?.kind === "folder" && before.mode === after.mode;
  if (!isSameFolder) yield { path, before, after };
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    const at = join(path, name);
    yield* differences(at, was ?? unlisted(before, at), is ?? unlisted(after, at));
  }
}

/**
 * Returns the entry of a path that a folder does not list: it is missing, or not looked at.
 *
 * An ignored folder may be where a file is now, so the path is left out if either would be ignored.
 */
function unlisted(folder: Entry | undefined, path: string): LeftOutEntry | undefined {
  if (folder?.kind === "left-out") return leftOut;
  if (folder?.kind !== "folder") return undefined;
  const isIgnored = ignoredIn(dirname(path), folder.rules);
  const name = basename(path);
  return isIgnored(name, false) || isIgnored(name, true) ? leftOut : undefined;
}

function childrenOf(entry: Entry | undefined): ReadonlyMap<string, Entry> {
  return entry?.kind === "folder" ? entry.children : none;
}

const none: ReadonlyMap<string, Entry> = new Map();

/** Finds a path in a walk of `root`. */
export function entryAt(root: string, folder: FolderEntry, path: string): Entry | undefined {
  let entry: Entry = folder;
  let at = root;
  for (const name of relative(root, path).split("/")) {
    if (entry.kind === "left-out") return leftOut;
    if (entry.kind !== "folder") return undefined;
    const parent: FolderEntry = entry;
    at = join(at, name);
    const child = parent.children.get(name) ?? unlisted(parent, at);
    if (child === undefined) return undefined;
    entry = child;
  }
  return entry;
}

/** A generator in each folder would take ten times as long. */
function forEachFile(
  path: string,
  entry: Entry,
  visit: (path: string, file: FileEntry) => void,
): void {
  if (entry.kind === "file") visit(path, entry);
  else if (entry.kind === "folder") {
    const start = path.endsWith("/") ? path : `${path}/`;
    for (const [name, child] of entry.children) forEachFile(start + name, child, visit);
  }
}

function readKnown(file: string, generation: string): Map<string, [string, FileState]> {
  try {
    if (statSync(file).size > largestKnown) return new Map();
    const stored = JSON.parse(readFileSync(file, "utf8"));
    if (stored.generation !== generation) return new Map();
    const entries = stored.entries as [string, string, FileState][];
    return new Map(entries.map(([path, stamp, state]) => [path, [stamp, state]]));
  } catch {
    return new Map(); // none yet
  }
}

const largestKnown = 64 * 1024 * 1024;
