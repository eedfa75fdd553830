import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPath } from "../lib/files.js";
import type { BlobStore } from "./blob-store.js";
import { type FileState, isSameState, permissions, readState, statOf } from "./file-state.js";
import type { CheckpointLimit, Manifest, UnsavedChange } from "./manifest.js";
import { isInside } from "./turn-files.js";

/** A path to set from one state to another; undefined is a path without a file. */
export interface RestoreStep {
  path: string;
  from: FileState | undefined;
  to: FileState | undefined;
}

/** A path that cannot be restored. */
export interface RestoreConflict {
  path: string;
  reason: string;
}

/** The steps that restore an earlier state of the files. */
export interface RestorePlan {
  roots: string[];
  steps: RestoreStep[];
  conflicts: RestoreConflict[];
  /** Changes that no checkpoint has. */
  unsaved: UnsavedChange[];
  limits: CheckpointLimit[];
}

/** Options for {@link planRestore}. */
interface PlanOptions {
  store: BlobStore;
  /** Returns true for paths that rules deny. */
  isDenied?: ((path: string) => boolean) | undefined;
}

/**
 * Plans the way back to the state before the first of the manifests, which are in the order in which
 * they were recorded.
 *
 * A path whose state is not the one that the last manifest left, or that changed between two of them,
 * was changed by somebody else: it is a conflict, unless it has the earlier state already.
 */
export async function planRestore(
  manifests: readonly Manifest[],
  { store, isDenied }: PlanOptions,
): Promise<RestorePlan> {
  const roots = [...new Set(manifests.flatMap((manifest) => manifest.roots))];
  const steps: RestoreStep[] = [];
  const conflicts: RestoreConflict[] = [];
  for (const [path, change] of fold(manifests)) {
    const forbidden = whyForbidden(path, { roots, isDenied });
    const outcome =
      forbidden === undefined ? await stepOf(path, change, store) : { reason: forbidden };
    if (outcome === undefined) continue;
    if ("reason" in outcome) conflicts.push({ path, reason: outcome.reason });
    else if (isStored(outcome, store)) steps.push(outcome);
    else conflicts.push({ path, reason: "its earlier contents are not stored any more" });
  }
  conflicts.push(...blockedSteps(steps));
  const blocked = new Set(conflicts.map(({ path }) => path));
  const possible = steps.filter(({ path }) => !blocked.has(path));
  return {
    roots,
    steps: [...missingFolders(possible, roots), ...possible],
    conflicts,
    unsaved: manifests.flatMap(({ unsaved }) => unsaved),
    limits: [...new Set(manifests.flatMap(({ limits }) => limits))],
  };
}

/** Change of a path over several manifests. */
interface FoldedChange {
  before: FileState | undefined;
  after: FileState | undefined;
  /** True if somebody else changed it between two of them. */
  isForeign: boolean;
}

function fold(manifests: readonly Manifest[]): Map<string, FoldedChange> {
  const changes = new Map<string, FoldedChange>();
  for (const { path, before, after } of manifests.flatMap((manifest) => manifest.changes)) {
    const known = changes.get(path);
    if (known === undefined) changes.set(path, { before, after, isForeign: false });
    else {
      const isOurs = isSameState(known.after, before) || isSameState(known.before, before);
      known.isForeign ||= !isOurs;
      known.after = after;
    }
  }
  return changes;
}

async function stepOf(
  path: string,
  { before, after, isForeign }: FoldedChange,
  store: BlobStore,
): Promise<RestoreStep | { reason: string } | undefined> {
  // What is behind a link or a file was never part of a turn.
  const now = barrierAbove(path) ? { state: undefined } : await readState(path, store);
  if ("unsaved" in now) return { reason: "it cannot be read now" };
  const from = now.state;
  if (isSameState(from, before)) return undefined;
  if (from?.kind === "folder" && (before === undefined || before.kind === "folder")) {
    // A folder with other files stays; so do permissions that no turn has set.
    const isOurs = before === undefined || isSameState(from, after);
    return isOurs ? { path, from, to: before } : undefined;
  }
  if (isForeign) return { reason: "it was changed between the turns, not by them" };
  if (!isSameState(from, after)) return { reason: "it was changed since, not by a turn" };
  return { path, from, to: before };
}

/** Returns why a path may be neither read nor restored. */
function whyForbidden(
  path: string,
  { roots, isDenied }: { roots: readonly string[]; isDenied: PlanOptions["isDenied"] },
): string | undefined {
  if (!isInside(path, roots) || path.split("/").includes("..")) {
    return "it is outside of the workspace";
  }
  return isDenied?.(path) ? "permission rules deny it" : undefined;
}

function isStored({ to }: RestoreStep, store: BlobStore): boolean {
  return to?.kind !== "file" || store.has(to.hash);
}

/** Returns the nearest thing above a path if it is not a real folder. */
function barrierAbove(path: string): string | undefined {
  for (let at = dirname(path); ; at = dirname(at)) {
    const stats = statOf(at);
    if (stats !== undefined) return stats.isDirectory() && realPath(at) === at ? undefined : at;
    if (at === dirname(at)) return undefined;
  }
}

/** Finds steps that other files stand in the way of. */
function blockedSteps(steps: readonly RestoreStep[]): RestoreConflict[] {
  const byPath = new Map(steps.map((step) => [step.path, step]));
  return steps.flatMap(({ path, from, to }) => {
    const isReplaced = from?.kind === "folder" && to !== undefined && to.kind !== "folder";
    if (isReplaced && !isEmptied(path, byPath)) {
      return [{ path, reason: "the folder at its place has other files" }];
    }
    const barrier = barrierAbove(path);
    if (barrier === undefined || isFolder(byPath.get(barrier))) return [];
    return [{ path, reason: `${barrier} is a link or a file now` }];
  });
}

/** Returns steps that make the folders again in which files are restored, so that an undo removes them. */
function missingFolders(steps: readonly RestoreStep[], roots: readonly string[]): RestoreStep[] {
  const known = new Set(steps.filter(({ to }) => to !== undefined).map(({ path }) => path));
  const added: RestoreStep[] = [];
  for (const { path, to } of steps) {
    const missing: string[] = [];
    let at = dirname(path);
    if (to === undefined) continue;
    for (; isInside(at, roots) && !known.has(at) && statOf(at) === undefined; at = dirname(at)) {
      missing.push(at);
      known.add(at);
    }
    const mode = (statOf(at)?.mode ?? 0o755) & permissions;
    for (const folder of missing)
      added.push({ path: folder, from: undefined, to: { kind: "folder", mode } });
  }
  return added;
}

function isFolder(step: RestoreStep | undefined): boolean {
  return step?.to?.kind === "folder";
}

function isEmptied(folder: string, steps: ReadonlyMap<string, RestoreStep>): boolean {
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const path = join(folder, entry.name);
    const step = steps.get(path);
    if (step === undefined || step.to !== undefined) return false;
    return !entry.isDirectory() || isEmptied(path, steps);
  });
}
