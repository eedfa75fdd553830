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
import { errorCode } from "../lib/errors.js";
import { knownCause, type PatchFailure, systemFailure } from "./failure.js";

/** A path with all symbolic links resolved. */
interface Target {
  /** The real path. Its folders may not exist yet; those that exist are not links. */
  path: string;
  /** The deepest existing folder. */
  existing: string;
  /** The folders to create below it. */
  missing: string[];
}

/** Result of {@link resolveTarget}. */
type TargetResult = { ok: true; target: Target } | { ok: false; failure: PatchFailure };

/**
 * Resolves a path to the file that it refers to.
 *
 * With `follow`, a link at the end of the path resolves to its target: an update through a link
 * changes that file, so that is the path to check. Without it, the link itself is meant. A dangling
 * link is refused, because its target could change before the write.
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
 * A folder that is held open, so that names in it refer to the same folder even if its path is
 * replaced meanwhile. On systems without `/proc`, the path is checked before each use.
 */
export interface PinnedFolder {
  /**
   * Returns the path of a name in this folder, for immediate use. Throws if the folder was moved.
   */
  at(name: string): string;
  /** Closes the folder. */
  close(): void;
}

/** The folder of a target, and the folders created for it. */
interface PinnedTarget {
  folder: PinnedFolder;
  /** Removes the created folders, unless they are no longer empty. */
  undo(): void;
  /** Closes all folders. */
  close(): void;
}

/** Opens the folder of a target and creates the missing ones; removes them again on failure. */
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

/** Returns the target of a handle; undefined if the system does not provide it. */
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
      return; // not empty: another process uses it
    }
  }
}

/** Thrown if a file or its folder changed since the patch was verified. */
export class FileChanged extends Error {}
