import type { Stats } from "node:fs";

/** Modification time of placeholder files, in seconds: any use of one sets another. */
export const placeholderTime = 1;

/** Returns true for a file that only stands for a missing one while a command runs. */
export function isPlaceholderFile(entry: Stats): boolean {
  return entry.isFile() && entry.mtimeMs === placeholderTime * 1000;
}
