import { constants } from "node:fs";
import {
  access,
  copyFile,
  lstat,
  mkdir,
  realpath,
  rename,
  rm,
  unlink,
  utimes,
} from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { errorCode } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";
import { parseRolloutFileName } from "./file-name.js";
import { rolloutFolder } from "./files.js";
import { writerLockPath, writerOf } from "./writer-lock.js";

/** A stored conversation: its id, and the path of its file as the client named it. */
export interface StoredThread {
  id: string;
  path: string;
}

/**
 * Archives a conversation: its file leaves the list until `unarchiveThread` restores it.
 *
 * The caller must have closed the writer. Returns the new path.
 */
export async function archiveThread(home: string, thread: StoredThread): Promise<string> {
  const file = await checkedFile(home, thread, { archived: false });
  await mkdir(rolloutFolder(home, true), { recursive: true, mode: 0o700 });
  return move(file, join(rolloutFolder(home, true), basename(file)));
}

/** Moves an archived conversation back to `sessions`; returns the new path. */
export async function unarchiveThread(home: string, thread: StoredThread): Promise<string> {
  const file = await checkedFile(home, thread, { archived: true });
  const time = parseRolloutFileName(basename(file))?.time;
  if (time === undefined)
    throw refused(`rollout path \`${thread.path}\` missing filename timestamp`);
  const day = join(
    rolloutFolder(home, false),
    time.slice(0, 4),
    time.slice(5, 7),
    time.slice(8, 10),
  );
  await mkdir(day, { recursive: true, mode: 0o700 });
  const path = await move(file, join(day, basename(file)));
  const now = new Date();
  await utimes(path, now, now);
  return path;
}

/** Deletes a conversation permanently. */
export async function deleteThread(
  home: string,
  thread: StoredThread,
  { archived = false }: { archived?: boolean } = {},
): Promise<void> {
  await unlink(await checkedFile(home, thread, { archived }));
}

/**
 * Returns the real path of a conversation's file after checking it.
 *
 * Clients name files by path, so a path may lead out of the folder, through links, or to an
 * unrelated file.
 */
async function checkedFile(
  home: string,
  { id, path }: StoredThread,
  { archived }: { archived: boolean },
): Promise<string> {
  const [folder, file] = await Promise.all([
    realpath(rolloutFolder(home, archived)).catch(() => undefined),
    realpath(path).catch(() => undefined),
  ]);
  if (folder === undefined || !file?.startsWith(folder + sep)) {
    const position = archived ? "archived" : "sessions";
    throw refused(`rollout path \`${path}\` must be in ${position} directory`);
  }
  if (id === "" || !basename(file).endsWith(`${id}.jsonl`)) {
    throw refused(`rollout path \`${path}\` does not match conversation id ${id}`);
  }
  if (!(await lstat(file)).isFile()) throw refused(`rollout path \`${path}\` is not a file`);
  const writer = writerOf(writerLockPath(home, id));
  if (writer !== undefined) throw refused(`conversation ${id} is being written by ${writer}`);
  return file;
}

async function move(from: string, to: string): Promise<string> {
  const isTaken = await access(to).then(
    () => true,
    () => false,
  );
  if (isTaken) throw refused(`file ${to} already exists`);
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    await moveAcross(from, to);
  }
  return to;
}

/** Moves by copying, because one of the two folders may be a link to another disk. */
async function moveAcross(from: string, to: string): Promise<void> {
  const draft = join(dirname(to), `.${basename(to)}.part`);
  try {
    await copyFile(from, draft, constants.COPYFILE_EXCL);
    await rename(draft, to);
  } finally {
    await rm(draft, { force: true });
  }
  await unlink(from);
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
