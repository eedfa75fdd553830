import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
} from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../lib/error-code.js";
import { knownCause, type PatchFailure, systemFailure } from "./failure.js";

/** Where a path leads once every symbolic link in it is followed. */
interface Target {
  /** The real path. Its folders may be missing yet; what exists of them is no link. */
  path: string;
  /** The deepest folder of it that exists. */
  existing: string;
  /** The folders below that one which have to be made. */
  missing: string[];
}

/** A target, or why there is none. */
type TargetResult = { ok: true; target: Target } | { ok: false; failure: PatchFailure };

/**
 * Finds the file a path means.
 *
 * With `follow`, a link as last part counts as the file it points to: an update through a link
 * changes that file, wherever it is, and so is judged by where it is. Without, the link itself is
 * meant. A link to nothing is refused, for what it will point to by then is anyone's guess.
 */
export async function resolveTarget(
  path: string,
  { follow, context }: { follow: boolean; context: string },
): Promise<TargetResult> {
  try {
    const folder = await resolveFolder(dirname(path), context);
    if (!folder.ok) return folder;
    const { existing, missing } = folder.target;
    const name = basename(path);
    const here = join(existing, ...missing, name);
    if (missing.length > 0 || !follow || !(await isLink(here))) {
      return { ok: true, target: { path: here, existing, missing } };
    }
    const real = await realpath(here);
    return { ok: true, target: { path: real, existing: dirname(real), missing: [] } };
  } catch (error) {
    if (isMissing(error)) return refuseDangling(path, context);
    return { ok: false, failure: systemFailure(error, context) };
  }
}

async function resolveFolder(folder: string, context: string): Promise<TargetResult> {
  const missing: string[] = [];
  for (let current = folder; ; current = dirname(current)) {
    try {
      const existing = await realpath(current);
      if ((await lstat(existing)).isDirectory()) {
        return { ok: true, target: { path: join(existing, ...missing), existing, missing } };
      }
      return { ok: false, failure: { kind: "io", context, cause: knownCause("ENOTDIR") } };
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (await isLink(current)) return refuseDangling(current, context);
      missing.unshift(basename(current));
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function refuseDangling(path: string, context: string): TargetResult {
  const reason = `${path} is a symbolic link to nothing`;
  return { ok: false, failure: { kind: "refused", context, reason } };
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}

/**
 * A folder held open, so that names in it mean the same folder however its path is swapped
 * meanwhile. Where the system has no `/proc`, the path is looked at again before each use.
 */
export interface PinnedFolder {
  /** The path of a name in this folder, for one call right away. Throws when the folder moved. */
  at(name: string): string;
  /** Lets go of the folder. */
  close(): void;
}

/** The folder of a target, and what was done to get it. */
interface PinnedTarget {
  folder: PinnedFolder;
  /** Removes the folders that were made, unless something is in them by now. */
  undo(): void;
  /** Lets go of all that is held. */
  close(): void;
}

/** Opens the folder of a target and makes the missing ones; on failure those are removed again. */
export function pinFolder({
  existing,
  missing,
}: Pick<Target, "existing" | "missing">): PinnedTarget {
  const held: PinnedFolder[] = [];
  const made: { parent: PinnedFolder; name: string }[] = [];
  const close = () => {
    for (const folder of held) folder.close();
  };
  try {
    let path = existing;
    let folder = pin(path);
    held.push(folder);
    for (const name of missing) {
      if (mkdirUnlessThere(folder.at(name))) made.push({ parent: folder, name });
      path = join(path, name);
      folder = pin(path, folder.at(name));
      held.push(folder);
    }
    return { folder, undo: () => undo(made), close };
  } catch (error) {
    undo(made);
    close();
    throw error;
  }
}

function pin(path: string, through = path): PinnedFolder {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  if (process.platform !== "linux") return pinByPath(path);
  const descriptor = openSync(through, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const handle = `/proc/self/fd/${descriptor}`;
  const where = linkTarget(handle);
  if (where === path) {
    return { at: (name) => join(handle, name), close: () => closeSync(descriptor) };
  }
  closeSync(descriptor);
  if (where === undefined) return pinByPath(path);
  throw new FileChanged();
}

function pinByPath(path: string): PinnedFolder {
  return {
    at(name) {
      if (realpathSync.native(path) !== path) throw new FileChanged();
      return join(path, name);
    },
    close() {},
  };
}

/** Where a handle leads; nothing when the system does not say. */
function linkTarget(handle: string): string | undefined {
  try {
    return readlinkSync(handle);
  } catch {
    return undefined;
  }
}

function mkdirUnlessThere(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST" && lstatSync(path).isDirectory()) {
      return false;
    }
    throw error;
  }
}

function undo(made: { parent: PinnedFolder; name: string }[]): void {
  for (const { parent, name } of made.toReversed()) {
    try {
      rmdirSync(parent.at(name));
    } catch {
      return; // not empty, so it is someone's by now
    }
  }
}

/** Thrown when a file or its folder is no longer what the patch was checked against. */
export class FileChanged extends Error {}
