import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import type { AskForApproval, SandboxPolicy, WritableRoot } from "../protocol/types.js";
import { isRestricted } from "./judge.js";

/** A file that a patch changes. */
export interface PatchedPath {
  path: string;
  /** New path of a moved file. */
  moveTo?: string | undefined;
}

/** Input of `decidePatch`. */
export interface PatchDecisionInput {
  paths: readonly PatchedPath[];
  approvalPolicy: AskForApproval;
  sandboxPolicy: SandboxPolicy;
  cwd: string;
  /** Writable roots of the sandbox policy; used for workspace-write only. */
  writableRoots: readonly WritableRoot[];
  /** True if the user granted some of them, so that they apply under any policy. */
  hasGrants?: boolean;
  /** True if this machine has a sandbox. */
  platformSandbox: boolean;
}

/** Decision whether and how a patch is applied. */
export type PatchDecision =
  | { decision: "auto"; sandboxed: boolean }
  | { decision: "ask" }
  | { decision: "reject"; reason: string };

/** Decides whether a patch is applied immediately, after approval, or not at all. Has no side effects. */
export function decidePatch(input: PatchDecisionInput): PatchDecision {
  if (input.paths.length === 0) return { decision: "reject", reason: "empty patch" };
  if (input.approvalPolicy === "untrusted") return { decision: "ask" };
  if (input.approvalPolicy === "on-failure" || isPatchWritable(input)) {
    if (input.platformSandbox) return { decision: "auto", sandboxed: true };
    if (!isRestricted(input.sandboxPolicy)) return { decision: "auto", sandboxed: false };
    return { decision: "ask" };
  }
  if (input.approvalPolicy !== "never") return { decision: "ask" };
  const reason = "writing outside of the project; rejected by user approval settings";
  return { decision: "reject", reason };
}

/** Returns true if every path of a patch, including both ends of a move, is in a writable root. */
export function isPatchWritable(
  input: Pick<
    PatchDecisionInput,
    "paths" | "sandboxPolicy" | "cwd" | "writableRoots" | "hasGrants"
  >,
): boolean {
  if (!isRestricted(input.sandboxPolicy)) return true;
  if (input.sandboxPolicy.mode === "read-only" && input.hasGrants !== true) return false;
  const touched = input.paths.flatMap(({ path, moveTo }) =>
    moveTo === undefined ? [path] : [path, moveTo],
  );
  return touched.every((path) => isWritable(path, input.cwd, input.writableRoots));
}

function isWritable(path: string, cwd: string, roots: readonly WritableRoot[]): boolean {
  const absolute = normalize(isAbsolute(path) ? path : join(cwd, path));
  return roots.some(
    ({ root, read_only_subpaths }) =>
      isWithin(absolute, root) && !read_only_subpaths.some((sub) => isWithin(absolute, sub)),
  );
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith("../") && !way.startsWith("..\\") && !isAbsolute(way);
}

/** Permission to request for a patch that writes outside the policy. */
export interface PatchGrant {
  reason: string;
  /** The one folder that all these files are in; absent when they are in several. */
  root?: string;
}

/** Names the files outside the writable roots, and their folder if there is just one. */
export function grantFor(
  paths: readonly PatchedPath[],
  roots: readonly WritableRoot[],
): PatchGrant {
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
