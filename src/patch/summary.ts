import type { Hunk } from "./hunk.js";

const SUCCESS = "Success. Updated the following files:";

/** The output of applied sections: first files added, then those modified, then those deleted. */
export function successOutput(hunks: readonly Hunk[]): string {
  const lines = ["A", "M", "D"].flatMap((letter) =>
    hunks.map(labelOf).filter((label) => label.startsWith(letter)),
  );
  return [SUCCESS, ...lines, ""].join("\n");
}

/** One line of the list: a letter and the path as the patch spells it, where a moved file is now. */
export function labelOf(hunk: Hunk): string {
  if (hunk.type === "add") return `A ${hunk.path}`;
  return hunk.type === "delete" ? `D ${hunk.path}` : `M ${hunk.movePath ?? hunk.path}`;
}
