import { realpathSync } from "node:fs";

/** The path without links, or as it is when there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
