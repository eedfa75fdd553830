import { relative } from "node:path";
import type { PatchedPath } from "../../shell/index.js";

/** The files and folders that the user lets patches change for the rest of the session. */
export class ApprovedPaths {
  #files = new Set<string>();
  #roots: string[] = [];

  /** Remembers the files of a patch, or everything below a folder when that was asked for. */
  add(paths: readonly PatchedPath[], root: string | undefined): void {
    if (root !== undefined) this.#roots.push(root);
    for (const path of paths.flatMap(bothEnds)) this.#files.add(path);
  }

  haveAll(paths: readonly PatchedPath[]): boolean {
    return paths.flatMap(bothEnds).every((path) => this.#has(path));
  }

  #has(path: string): boolean {
    return this.#files.has(path) || this.#roots.some((root) => isBelow(path, root));
  }
}

function bothEnds({ path, moveTo }: PatchedPath): string[] {
  return moveTo === undefined ? [path] : [path, moveTo];
}

function isBelow(path: string, root: string): boolean {
  const rest = relative(root, path);
  return rest !== "" && !rest.startsWith("..") && !rest.startsWith("/");
}
