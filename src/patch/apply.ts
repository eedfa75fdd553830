import { lstat, readFile } from "node:fs/promises";
import { errorCode } from "../lib/error-code.js";
import { failureText, type PatchFailure, systemFailure } from "./failure.js";
import { FileChanged } from "./file-changed.js";
import { stampOf } from "./file-snapshot.js";
import { resolveTarget } from "./target.js";
import type { FileEdit, VerifiedPatch } from "./verified-patch.js";
import { removeFileEdit, writeFileEdit } from "./write-file.js";

/** Decides which files a patch may touch. */
export interface WriteGuard {
  /**
   * Returns why a file must not be written, replaced or removed; nothing when it may be. The path
   * is absolute and real: no part of it is a symbolic link.
   */
  check(path: string): string | undefined;
}

/** How a checked patch is applied. */
export interface ApplyOptions {
  /** Which files may be touched; without one, all that the process can write. */
  guard?: WriteGuard;
}

/** What applying a patch did. */
export type ApplyOutcome =
  | { ok: true; stdout: string; stderr: "" }
  /** `done` lists the steps that were taken before the failure and stay. */
  | { ok: false; stdout: ""; stderr: string; failure: PatchFailure; done: FileEdit[] };

/**
 * Makes the changes of a checked patch.
 *
 * All files are looked at once more before the first is written: that they may be touched, and
 * that they are still as they were when the patch was checked, for that is what was approved. Each
 * file is then replaced in one step. Only when the disk fails in between are some files changed
 * and others not; the output says which.
 */
export async function applyChanges(
  { edits, summary }: VerifiedPatch,
  options: ApplyOptions = {},
): Promise<ApplyOutcome> {
  for (const edit of edits) {
    const failure = await findObstacle(edit, options.guard);
    if (failure) return failed(failure, []);
  }
  const done: FileEdit[] = [];
  for (const edit of edits) {
    const failure = await makeEdit(edit);
    if (failure) return failed(failure, done);
    done.push(edit);
  }
  return { ok: true, stdout: summary, stderr: "" };
}

async function findObstacle(edit: FileEdit, guard: WriteGuard | undefined) {
  const context = contextOf(edit);
  const follow = edit.after !== undefined;
  const resolved = await resolveTarget(edit.path, { follow, context });
  if (!resolved.ok) return resolved.failure;
  if (resolved.target.path !== edit.target) return changed(context);
  const reason = guard?.check(edit.target);
  if (reason !== undefined) return { kind: "refused", context, reason } as const;
  try {
    return (await isUnchanged(edit)) ? undefined : changed(context);
  } catch (error) {
    return systemFailure(error, context);
  }
}

async function isUnchanged({ target, before, after }: FileEdit): Promise<boolean> {
  const stamp = await stampAt(target);
  if (stamp !== before?.stamp) return false;
  // Time stamps can be coarse, so a file that is changed is compared byte by byte.
  if (!before?.bytes || after === undefined) return true;
  return before.bytes.equals(await readFile(target));
}

async function stampAt(path: string): Promise<string | undefined> {
  try {
    return stampOf(await lstat(path, { bigint: true }));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function makeEdit(edit: FileEdit): Promise<PatchFailure | undefined> {
  try {
    if (edit.after === undefined) await removeFileEdit(edit);
    else await writeFileEdit(edit, edit.after);
    return undefined;
  } catch (error) {
    if (error instanceof FileChanged) return changed(contextOf(edit));
    return systemFailure(error, contextOf(edit));
  }
}

function contextOf({ path, after }: FileEdit): string {
  return after === undefined ? `Failed to delete file ${path}` : `Failed to write file ${path}`;
}

function changed(context: string): PatchFailure {
  const reason = "it changed after the patch was checked; read it again and send a new patch";
  return { kind: "refused", context, reason };
}

function failed(failure: PatchFailure, done: FileEdit[]): ApplyOutcome {
  const list = [...new Set(done.map(({ label }) => label))].join("\n");
  const note = list === "" ? "" : `These changes were made before that and stay:\n${list}\n`;
  return { ok: false, stdout: "", stderr: `${failureText(failure)}\n${note}`, failure, done };
}
