import type { Hunk } from "./hunk.js";

/** The first line of the output of a patch that was applied. */
export const SUCCESS = "Success. Updated the following files:";

/** Lists what sections did to files: first those added, then those modified, then those deleted. */
export function listHunks(title: string, hunks: readonly Hunk[]): string {
  const lines = ["A", "M", "D"].flatMap((letter) =>
    hunks.map(labelOf).filter((label) => label.startsWith(letter)),
  );
  return [title, ...lines, ""].join("\n");
}

/** One line of the list: a letter and the path as the patch spells it, where a moved file is now. */
export function labelOf(hunk: Hunk): string {
  if (hunk.type === "add") return `A ${hunk.path}`;
  return hunk.type === "delete" ? `D ${hunk.path}` : `M ${hunk.movePath ?? hunk.path}`;
}
