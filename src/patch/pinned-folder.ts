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
import { join } from "node:path";
import { errorCode } from "../lib/error-code.js";
import { FileChanged } from "./file-changed.js";
import type { Target } from "./target.js";

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
export interface PinnedTarget {
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
