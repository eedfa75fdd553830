import { constants, lstatSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { access, type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { errorCode } from "../lib/error-code.js";
import { FileChanged } from "./file-changed.js";
import { type FileRights, stampOf } from "./file-snapshot.js";
import { type PinnedFolder, pinFolder } from "./pinned-folder.js";
import { resolveTarget } from "./target.js";
import type { FileEdit } from "./verified-patch.js";

/**
 * Puts the new text in place of the old in one step: it is written to a file beside it, brought to
 * disk and renamed. Others see the old file or the new one, and a failure leaves the old.
 */
export async function writeFileEdit(edit: FileEdit, after: string): Promise<void> {
  const name = basename(edit.target);
  // A file that may not be written could still be replaced; the user did not mean that.
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

/** Removes a file or a link. */
export async function removeFileEdit(edit: FileEdit): Promise<void> {
  const name = basename(edit.target);
  const pinned = await pinFolderOf(edit);
  try {
    expectUnchanged(pinned.folder, name, edit);
    unlinkSync(pinned.folder.at(name));
  } finally {
    pinned.close();
  }
}

/** The folder may have come into being since the check, so it is looked up anew. */
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

/** Only root may give a file away; for others it stays theirs, as with most editors. */
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
