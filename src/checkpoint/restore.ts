import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, errorText } from "../lib/errors.js";
import { realPath } from "../lib/files.js";
import { type PinnedFolder, pinFolder, resolveTarget } from "../patch/index.js";
import type { BlobStore } from "./blob-store.js";
import { type FileState, isSameState, readState, statOf } from "./file-state.js";
import type { RestoreStep } from "./restore-plan.js";

/** Thrown if a step cannot be made. Steps before it were taken back. */
export class RestoreFailed extends Error {
  constructor(path: string, reason: string) {
    super(`${path} could not be restored: ${reason}. All files are as they were before.`);
    this.name = "RestoreFailed";
  }
}

/** Contents for the steps, and the id of the restore, which names its temporary files. */
interface RestoreParts {
  store: BlobStore;
  id: string;
}

/**
 * Makes all steps, or none: after a failure the steps so far are taken back.
 *
 * Each path is compared once more right before it is changed. Nothing follows links.
 */
export async function applySteps(
  steps: readonly RestoreStep[],
  parts: RestoreParts,
): Promise<void> {
  const done: RestoreStep[] = [];
  for (const step of inOrder(steps)) {
    try {
      await expectState(step, parts.store);
      await applyStep(step, parts);
      done.push(step);
    } catch (error) {
      await revertSteps(done, parts);
      throw new RestoreFailed(step.path, errorText(error));
    }
  }
}

/**
 * Takes steps back that were made, and leaves others alone; for steps that a killed process may have
 * made in part.
 */
export async function revertSteps(
  steps: readonly RestoreStep[],
  parts: RestoreParts,
): Promise<void> {
  const back = steps.map(({ path, from, to }) => ({ path, from: to, to: from }));
  for (const folder of new Set(steps.map(({ path }) => dirname(path)))) {
    const isReal = realPath(folder) === folder && statOf(folder)?.isDirectory() === true;
    if (isReal) rmSync(join(folder, temporaryName(parts)), { force: true });
  }
  for (const step of inOrder(back)) {
    const now = await readState(step.path, parts.store);
    if ("unsaved" in now || isSameState(now.state, step.to)) continue;
    // Somebody else has changed it since; that is never overwritten.
    if (!isOurs(now.state, step)) continue;
    await applyStep({ ...step, from: now.state }, parts).catch(() => {});
  }
}

/** Returns true for the state after a step, or in the middle of one that replaces a folder or makes one. */
function isOurs(now: FileState | undefined, { from, to }: RestoreStep): boolean {
  if (isSameState(now, from)) return true;
  if (now === undefined) return from !== undefined && to !== undefined && from.kind !== to.kind;
  return now.kind === "folder" && from?.kind === "folder";
}

function temporaryName({ id }: RestoreParts): string {
  return `.quire-${id}.tmp`;
}

/** Removals come first, contents before their folders; then folders before their contents. */
function inOrder(steps: readonly RestoreStep[]): RestoreStep[] {
  const byPath = [...steps].sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  const isRemoval = ({ to }: RestoreStep) => to === undefined;
  const isMode = ({ from, to }: RestoreStep) => from?.kind === "folder" && to?.kind === "folder";
  return [
    ...byPath.filter(isRemoval).toReversed(),
    ...byPath.filter((step) => !isRemoval(step) && !isMode(step)),
    ...byPath.filter(isMode).toReversed(),
  ];
}

async function expectState({ path, from }: RestoreStep, store: BlobStore): Promise<void> {
  const now = await readState(path, store);
  const isExpected = !("unsaved" in now) && isSameState(now.state, from);
  if (!isExpected) throw new Error("it was changed meanwhile");
}

async function applyStep(step: RestoreStep, parts: RestoreParts): Promise<void> {
  const resolved = await resolveTarget(step.path, { follow: false, context: "" });
  if (!resolved.ok || resolved.target.path !== step.path) {
    throw new Error("a symbolic link is in its path");
  }
  if (step.to === undefined && resolved.target.missing.length > 0) return;
  const pinned = pinFolder(resolved.target);
  try {
    const name = basename(step.path);
    if (step.to === undefined) remove(pinned.folder.at(name), step.from);
    else write(pinned.folder, name, step, parts);
  } finally {
    pinned.close();
  }
}

function remove(path: string, from: FileState | undefined): void {
  if (from?.kind !== "folder") {
    unlinkSync(path);
    return;
  }
  try {
    rmdirSync(path);
  } catch (error) {
    // It has other files, so it stays.
    const code = errorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

function write(
  folder: PinnedFolder,
  name: string,
  { from, to }: RestoreStep,
  parts: RestoreParts,
): void {
  if (to?.kind === "folder") {
    makeFolder(folder.at(name), to.mode, from);
    return;
  }
  if (from?.kind === "folder") rmdirSync(folder.at(name));
  const temporary = temporaryName(parts);
  try {
    if (to?.kind === "link") symlinkSync(to.target, folder.at(temporary));
    else if (to !== undefined)
      writeContents(folder.at(temporary), folder.at(name), to, parts.store);
    renameSync(folder.at(temporary), folder.at(name));
  } catch (error) {
    rmSync(folder.at(temporary), { force: true });
    throw error;
  }
}

function makeFolder(path: string, mode: number, from: FileState | undefined): void {
  if (from !== undefined && from.kind !== "folder") unlinkSync(path);
  if (from?.kind !== "folder") mkdirUnlessThere(path);
  chmodSync(path, mode);
}

function mkdirUnlessThere(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST" || !lstatSync(path).isDirectory()) throw error;
  }
}

function writeContents(
  path: string,
  target: string,
  { hash, mode }: Extract<FileState, { kind: "file" }>,
  store: BlobStore,
): void {
  const bytes = store.get(hash);
  if (bytes === undefined) throw new Error("its earlier contents are not stored any more");
  writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
  const owner = lstatSync(target, { throwIfNoEntry: false });
  if (owner !== undefined) keepOwner(path, owner);
  chmodSync(path, mode);
}

/** Only root can give files to others. */
function keepOwner(path: string, { uid, gid }: { uid: number; gid: number }): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}
