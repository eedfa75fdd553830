import { isUtf8 } from "node:buffer";
import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { hasMarker } from "../lib/files.js";
import type { FileChange } from "../protocol/types.js";
import { type GitFile, gitFileDiff } from "./diff/unified-diff.js";
import { type GitBlob, gitBinaryLiteral, readGitBlob } from "./git-blob.js";

/** Options for {@link TurnDiff}. */
export interface TurnDiffOptions {
  /** Folder to which paths are relative. Defaults to the root of their repository. */
  root?: string;
  /** Folder to which paths outside of every repository are relative; absolute if omitted. */
  fallbackRoot?: string;
  /** Include binary contents so that `git apply` can restore them. */
  binary?: boolean;
  /** The diff of a larger file only states that it differs. */
  maxFileBytes?: number;
  /**
   * Limit of previous contents kept in memory; beyond it, the diff of a file only states that it
   * differs.
   */
  maxTotalBytes?: number;
}

const MEBIBYTE = 1024 * 1024;

/**
 * The changes of a turn to the files that it patched, as one git diff.
 *
 * Call `track` before each patch is applied; the first call for a file stores its contents. The
 * current contents are read each time the diff is requested.
 */
export class TurnDiff {
  readonly #options: Required<Omit<TurnDiffOptions, "root" | "fallbackRoot">>;
  readonly #names: DisplayPaths;
  readonly #before = new Map<string, GitBlob | undefined>();
  /** Previous path of moved files, by current path. */
  readonly #origins = new Map<string, string>();
  #written = new Map<string, string>();
  #kept = 0;

  constructor(options: TurnDiffOptions = {}) {
    this.#options = {
      binary: options.binary ?? false,
      maxFileBytes: options.maxFileBytes ?? 8 * MEBIBYTE,
      maxTotalBytes: options.maxTotalBytes ?? 64 * MEBIBYTE,
    };
    this.#names = new DisplayPaths(options);
  }

  /** Stores the files that these changes will modify; paths are absolute. */
  async track(changes: Readonly<Record<string, FileChange>>): Promise<void> {
    for (const [named, change] of Object.entries(changes)) {
      const movePath = change.type === "update" ? change.move_path : undefined;
      const isTakenAway = change.type === "delete" || Boolean(movePath);
      const path = isTakenAway ? named : await behindLink(named);
      await this.#remember(path);
      if (!movePath) continue;
      const target = await behindLink(movePath);
      await this.#remember(target);
      const origin = this.#origins.get(path) ?? path;
      this.#origins.delete(path);
      this.#origins.delete(target);
      if (origin !== target) this.#origins.set(target, origin);
    }
  }

  /** Writes the diff; undefined if no file changed. */
  async unifiedDiff(): Promise<string | undefined> {
    const now = new Map<string, GitBlob | undefined>();
    for (const path of this.#before.keys()) {
      now.set(path, await readGitBlob(path, this.#options.maxFileBytes));
    }
    const moves = this.#movesIn(now);
    const sources = new Set(moves.values());
    const paths = [...this.#before.keys()].filter((path) => !sources.has(path));
    const named = paths.map((path) => ({ path, name: this.#names.nameOf(path) }));
    named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

    const written = new Map<string, string>();
    const parts: string[] = [];
    for (const { path } of named) {
      const part = await this.#fileDiff(moves.get(path) ?? path, path, now.get(path), written);
      parts.push(part);
    }
    this.#written = written;
    return parts.join("") || undefined;
  }

  async #remember(path: string): Promise<void> {
    if (this.#before.has(path)) return;
    const room = Math.min(this.#options.maxFileBytes, this.#options.maxTotalBytes - this.#kept);
    const blob = await readGitBlob(path, room);
    this.#kept += blob?.bytes?.length ?? 0;
    this.#before.set(path, blob);
  }

  /** Returns moves by target path: the origin is gone, and the target did not exist before. */
  #movesIn(now: ReadonlyMap<string, GitBlob | undefined>): Map<string, string> {
    const moves = new Map<string, string>();
    for (const [target, origin] of this.#origins) {
      const went = now.get(origin) === undefined && now.get(target) !== undefined;
      if (went && this.#before.get(target) === undefined) moves.set(target, origin);
    }
    return moves;
  }

  async #fileDiff(
    oldPath: string,
    newPath: string,
    after: GitBlob | undefined,
    written: Map<string, string>,
  ): Promise<string> {
    const before = this.#before.get(oldPath);
    const key = [oldPath, newPath, before?.blobId, after?.blobId, after?.mode].join("\0");
    const diff =
      this.#written.get(key) ??
      gitFileDiff({
        oldPath: this.#names.nameOf(oldPath),
        newPath: this.#names.nameOf(newPath),
        before: await this.#toGitFile(before),
        after: await this.#toGitFile(after),
      });
    written.set(key, diff);
    return diff;
  }

  async #toGitFile(blob: GitBlob | undefined): Promise<GitFile | undefined> {
    if (!blob) return undefined;
    const { mode, blobId, bytes } = blob;
    const text = bytes && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
    if (!this.#options.binary || !bytes) return { mode, blobId, text };
    return { mode, blobId, text, binary: await gitBinaryLiteral(bytes) };
  }
}

/** A write to a symbolic link changes the file behind it. */
function behindLink(path: string): Promise<string> {
  return readlink(path).then(
    () => realpath(path).catch(() => path),
    () => path,
  );
}

/** Formats paths for a diff; caches the repository of each folder. */
class DisplayPaths {
  readonly #root: string | undefined;
  readonly #fallback: string | undefined;
  readonly #repositories = new Map<string, string | undefined>();

  /** Paths below `root` are relative to it. */
  constructor({ root, fallbackRoot }: TurnDiffOptions) {
    this.#root = root;
    this.#fallback = fallbackRoot;
  }

  /** Returns a path relative to the root, to that of its git repository or to the fallback, or absolute. */
  nameOf(path: string): string {
    const root = this.#root ?? this.#repositoryOf(dirname(path)) ?? this.#fallback;
    const way = root === undefined ? path : relative(root, path);
    const isBelow = way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
    return (isBelow ? way : path).split(sep).join("/");
  }

  #repositoryOf(folder: string): string | undefined {
    const known = this.#repositories.get(folder);
    if (known !== undefined || this.#repositories.has(folder)) return known;
    const parent = dirname(folder);
    const above = parent === folder ? undefined : this.#repositoryOf(parent);
    const repository = hasMarker(folder, ".git") ? folder : above;
    this.#repositories.set(folder, repository);
    return repository;
  }
}
