import { constants, lstatSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { access, type FileHandle, lstat, open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { errorCode } from "../lib/errors.js";
import { failureText, type PatchFailure, systemFailure } from "./failure.js";
import { type FileRights, stampOf } from "./file-snapshot.js";
import { type OpenBuffers, unsavedText } from "./open-buffers.js";
import { FileChanged, type PinnedFolder, pinFolder, resolveTarget } from "./target.js";
import type { FileEdit, VerifiedPatch } from "./verified-patch.js";

/** Decides which files a patch may write. */
export interface WriteGuard {
  /**
   * Returns the reason why a file must not be written, replaced or removed; undefined if it may be.
   * The path is absolute and contains no symbolic links.
   */
  check(path: string): string | undefined;
}

/** Options for {@link applyChanges}. */
export interface ApplyOptions {
  /** Defaults to allowing every file that the process can write. */
  guard?: WriteGuard;
  /** The editor to write through; what it does not write is written to the disk. */
  buffers?: OpenBuffers | undefined;
}

/** Result of {@link applyChanges}. */
export type ApplyOutcome =
  | { ok: true; stdout: string; stderr: "" }
  /** `done` lists the edits that were made before the failure; they are not undone. */
  | { ok: false; stdout: ""; stderr: string; failure: PatchFailure; done: FileEdit[] };

/**
 * Applies a verified patch.
 *
 * Before the first write, every file is checked again: that the guard allows it, and that it is
 * unchanged since the patch was verified, because that is what the user approved. Each file is then
 * replaced atomically. Only if the disk fails in between are some files changed and others not; the
 * output lists them.
 */
export async function applyChanges(
  { edits, summary }: VerifiedPatch,
  options: ApplyOptions = {},
): Promise<ApplyOutcome> {
  for (const edit of edits) {
    const failure = await findObstacle(edit, options);
    if (failure) return failed(failure, []);
  }
  const done: FileEdit[] = [];
  for (const edit of edits) {
    const failure = await makeEdit(edit, options.buffers);
    if (failure) return failed(failure, done);
    done.push(edit);
  }
  return { ok: true, stdout: summary, stderr: "" };
}

async function findObstacle(edit: FileEdit, { guard, buffers }: ApplyOptions) {
  const context = contextOf(edit);
  const follow = edit.after !== undefined;
  const resolved = await resolveTarget(edit.path, { follow, context });
  if (!resolved.ok) return resolved.failure;
  if (resolved.target.path !== edit.target) return changed(context);
  const reason = guard?.check(edit.target);
  if (reason !== undefined) return { kind: "refused", context, reason } as const;
  try {
    const isSame = (await isUnchanged(edit)) && (await isUnchangedIn(buffers, edit));
    return isSame ? undefined : changed(context);
  } catch (error) {
    return systemFailure(error, context);
  }
}

async function isUnchanged({ target, before, after }: FileEdit): Promise<boolean> {
  const stamp = await stampAt(target);
  if (stamp !== before?.stamp) return false;
  // Timestamps can be coarse, so compare the bytes of a file that is changed.
  if (!before?.bytes || after === undefined) return true;
  return (before.onDisk ?? before.bytes).equals(await readFile(target));
}

/** The editor must have the text that the patch was checked with. */
async function isUnchangedIn(
  buffers: OpenBuffers | undefined,
  { target, before, after }: FileEdit,
): Promise<boolean> {
  if (buffers === undefined || !before?.bytes || after === undefined) return true;
  const disk = before.onDisk ?? before.bytes;
  const unsaved = unsavedText(disk, await buffers.read(target)) ?? disk;
  return before.bytes.equals(unsaved);
}

async function stampAt(path: string): Promise<string | undefined> {
  try {
    return stampOf(await lstat(path, { bigint: true }));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function makeEdit(
  edit: FileEdit,
  buffers: OpenBuffers | undefined,
): Promise<PatchFailure | undefined> {
  try {
    if (edit.after === undefined) await removeFileEdit(edit);
    else if (!(await writeThrough(buffers, edit, edit.after))) {
      await writeFileEdit(edit, edit.after);
    }
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

/**
 * Replaces a file atomically: writes a temporary file beside it, syncs it and renames it. Readers
 * see either the old file or the new one, and a failure keeps the old one.
 */
async function writeFileEdit(edit: FileEdit, after: string): Promise<void> {
  const name = basename(edit.target);
  // Replacing a read-only file would succeed, but the user made it read-only.
  if (edit.before) await access(edit.target, constants.W_OK);
  const pinned = await pinFolderOf(edit);
  try {
    const temporary = `.quire-${randomName()}.tmp`;
    try {
      await writeTemporary(pinned.folder.at(temporary), edit, after);
      expectUnchanged(pinned.folder, name, edit);
      renameSync(pinned.folder.at(temporary), pinned.folder.at(name));
    } catch (error) {
      rmSync(pinned.folder.at(temporary), { force: true });
      pinned.undo();
      throw error;
    }
  } finally {
    pinned.close();
  }
}

/**
 * Writes a file through the editor; returns false if it does not write it.
 *
 * The editor opens the file by its path, so the folders must be the ones that were checked, before and after. It
 * cannot set modes and owners: a file with those of another is written to the disk.
 */
async function writeThrough(
  buffers: OpenBuffers | undefined,
  edit: FileEdit,
  after: string,
): Promise<boolean> {
  if (buffers === undefined || (edit.before === undefined && edit.rights !== undefined))
    return false;
  if (edit.before) await access(edit.target, constants.W_OK);
  const pinned = await pinFolderOf(edit);
  try {
    expectUnchanged(pinned.folder, basename(edit.target), edit);
    if (!(await buffers.write(edit.target, after))) return false;
  } finally {
    pinned.close();
  }
  const resolved = await resolveTarget(edit.target, { follow: true, context: "" });
  if (!resolved.ok || resolved.target.path !== edit.target) throw new FileChanged();
  return true;
}

/** Removes a file or symbolic link. */
async function removeFileEdit(edit: FileEdit): Promise<void> {
  const name = basename(edit.target);
  const pinned = await pinFolderOf(edit);
  try {
    expectUnchanged(pinned.folder, name, edit);
    unlinkSync(pinned.folder.at(name));
  } finally {
    pinned.close();
  }
}

/** Resolves the folder again: it may have been created since the check. */
async function pinFolderOf(edit: FileEdit) {
  const resolved = await resolveTarget(edit.target, { follow: false, context: "" });
  if (!resolved.ok || resolved.target.path !== edit.target) throw new FileChanged();
  return pinFolder(resolved.target);
}

async function writeTemporary(path: string, edit: FileEdit, text: string): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o666);
  try {
    if (edit.rights) {
      await keepOwner(file, edit.rights);
      await file.chmod(edit.rights.mode);
    }
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Only root can change the owner; otherwise the file belongs to the current user, as with most
 * editors.
 */
async function keepOwner(file: FileHandle, { uid, gid }: FileRights): Promise<void> {
  try {
    await file.chown(uid, gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}

function expectUnchanged(folder: PinnedFolder, name: string, { before }: FileEdit): void {
  const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  const now = stats && stampOf(stats);
  if (now !== before?.stamp) throw new FileChanged();
}

function randomName(): string {
  return `${process.pid.toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
}
