import { dirname, relative } from "node:path";
import type { WritableRoot } from "../../protocol/types.js";
import type { PatchedPath } from "../../shell/index.js";

/** What the user is asked for when a patch writes where the policy does not let it. */
export interface Grant {
  reason: string;
  /** The one folder that all these files are in; absent when they are in several. */
  root?: string;
}

/** Says which files lie outside, and the folder to grant if it is one. */
export function grantFor(paths: readonly PatchedPath[], roots: readonly WritableRoot[]): Grant {
  const outside = paths
    .flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]))
    .filter((path) => !roots.some(({ root }) => isWithin(path, root)));
  const [first] = outside;
  // A protected name inside a root is asked for file by file; granting its folder would undo it.
  if (first === undefined) return { reason: "the patch changes protected files" };
  const reason = `the patch writes outside of the writable folders: ${outside.join(", ")}`;
  const folder = dirname(first);
  const isOne = outside.every((path) => dirname(path) === folder) && folder !== dirname(folder);
  return isOne ? { reason, root: folder } : { reason };
}

function isWithin(path: string, root: string): boolean {
  const rest = relative(root, path);
  return !rest.startsWith("..") && !rest.startsWith("/");
}
