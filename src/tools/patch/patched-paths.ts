import type { VerifiedPatch } from "../../patch/index.js";
import type { PatchedPath } from "../../shell/index.js";

/** The files that a patch really writes or removes: behind links, both ends of a move included. */
export function patchedPaths({ edits }: VerifiedPatch): PatchedPath[] {
  return edits.map(({ target }) => ({ path: target }));
}
