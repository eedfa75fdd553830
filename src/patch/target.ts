import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../lib/error-code.js";
import { knownCause, type PatchFailure, systemFailure } from "./failure.js";

/** Where a path leads once every symbolic link in it is followed. */
export interface Target {
  /** The real path. Its folders may be missing yet; what exists of them is no link. */
  path: string;
  /** The deepest folder of it that exists. */
  existing: string;
  /** The folders below that one which have to be made. */
  missing: string[];
}

/** A target, or why there is none. */
export type TargetResult = { ok: true; target: Target } | { ok: false; failure: PatchFailure };

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
