import { lstatSync, type Stats } from "node:fs";
import { sep } from "node:path";

/** Whether `path` is `directory` or lies below it, compared by whole names. */
export function isWithin(path: string, directory: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** How many names a path has; the fewer, the shallower. */
export function depthOf(path: string): number {
  return path.split(sep).filter((name) => name !== "").length;
}

/** What is at a path, without following a link there; nothing when nothing is, or can be seen. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The system's short name of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
