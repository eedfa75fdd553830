import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { isMissing } from "./file-state.js";

/**
 * Contents of files by the SHA-256 of their bytes, compressed, each stored once.
 *
 * Files are private to the user. A blob is complete or missing: it is renamed into place.
 */
export class BlobStore {
  readonly #folder: string;
  readonly #prepared = new Set<string>();
  /** Bytes on disk that this process has added. */
  added = 0;

  /** `root` is the folder `checkpoints` of the home. */
  constructor(root: string) {
    this.#folder = join(root, "blobs");
  }

  /** Stores bytes and returns their hash; a blob that exists counts as just used. */
  put(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (this.touch(hash)) return hash;
    const folder = join(this.#folder, hash.slice(0, 2));
    if (!this.#prepared.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#prepared.add(folder);
    }
    const packed = gzipSync(bytes, { level: 1 });
    const temporary = join(folder, `.${process.pid.toString(36)}-${hash.slice(0, 16)}.tmp`);
    writeFileSync(temporary, packed, { mode: 0o600 });
    renameSync(temporary, this.#pathOf(hash));
    this.added += packed.length;
    return hash;
  }

  /** Returns the bytes of a hash; undefined if they were removed or are damaged. */
  get(hash: string): Buffer | undefined {
    try {
      const bytes = gunzipSync(readFileSync(this.#pathOf(hash)));
      return createHash("sha256").update(bytes).digest("hex") === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns true if the store has a hash. */
  has(hash: string): boolean {
    return statSync(this.#pathOf(hash), { throwIfNoEntry: false }) !== undefined;
  }

  /** Marks a blob as just used; returns false if it is not stored. */
  touch(hash: string): boolean {
    try {
      const now = new Date();
      utimesSync(this.#pathOf(hash), now, now);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  #pathOf(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`Expected a SHA-256 hash (got "${hash}")`);
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}
