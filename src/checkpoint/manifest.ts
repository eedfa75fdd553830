import type { BlobStore } from "./blob-store.js";
import type { FileState, Unsaved } from "./file-state.js";
import { isPath, isRecord, isState } from "./stored.js";

/** A path that a turn or a rewind changed. */
export interface FileChange {
  /** Absolute path without links. */
  path: string;
  before: FileState | undefined;
  after: FileState | undefined;
}

/** A change that cannot be taken back. */
export interface UnsavedChange {
  path: string;
  reason: Unsaved;
}

/** Limit that a checkpoint has met. */
export type CheckpointLimit = "files" | "bytes" | "roots" | "names";

/** The files that a turn or a rewind changed. */
export interface Manifest {
  version: 1;
  /** Folders that it is about; nothing outside of them is ever restored. */
  roots: string[];
  changes: FileChange[];
  unsaved: UnsavedChange[];
  limits: CheckpointLimit[];
}

/** Stores a manifest; returns its hash. */
export function putManifest(store: BlobStore, manifest: Manifest): string {
  return store.put(Buffer.from(JSON.stringify(manifest)));
}

/** Reads a manifest; undefined if it was removed, or is none. */
export function getManifest(store: BlobStore, hash: string): Manifest | undefined {
  const bytes = store.get(hash);
  if (bytes === undefined) return undefined;
  const manifest: unknown = JSON.parse(bytes.toString());
  return isManifest(manifest) ? manifest : undefined;
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || value.version !== 1) return false;
  const { roots, changes, unsaved, limits } = value;
  return (
    isListOf(roots, isPath) &&
    isListOf(changes, isChange) &&
    isListOf(unsaved, (one) => isRecord(one) && typeof one.path === "string") &&
    isListOf(limits, (one) => typeof one === "string")
  );
}

function isChange(value: unknown): boolean {
  return isRecord(value) && isPath(value.path) && isState(value.before) && isState(value.after);
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}
