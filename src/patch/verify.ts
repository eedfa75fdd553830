import { isUtf8 } from "node:buffer";
import { resolve, sep } from "node:path";
import type { MayRead } from "../lib/files.js";
import { knownCause, type PatchFailure } from "./failure.js";
import type { AddHunk, DeleteHunk, Hunk, UpdateHunk } from "./hunk.js";
import { type LineEndings, newContents } from "./new-contents.js";
import type { OpenBuffers } from "./open-buffers.js";
import { type PatchedFile, PatchedFiles } from "./patched-files.js";
import {
  labelOf,
  netChanges,
  netEdits,
  successOutput,
  type VerifiedPatch,
} from "./verified-patch.js";

/** Options for {@link verifyPatch}. */
export interface VerifyOptions {
  /** The absolute folder from which relative paths are resolved. */
  cwd: string;
  /** Defaults to `keep`. */
  lineEndings?: LineEndings;
  /** Checks each file before it is read; defaults to allowing all. */
  mayRead?: MayRead | undefined;
  /** The editor that has the files open, if there is one. */
  buffers?: OpenBuffers | undefined;
}

/** Result of {@link verifyPatch}: the patch, or its first failure. */
export type Verification =
  | { ok: true; patch: VerifiedPatch }
  | { ok: false; failure: PatchFailure };

/**
 * Verifies that every section of a patch matches the files, and computes the new contents.
 *
 * Writes nothing. A section sees the result of earlier ones, so a patch may change a file more than
 * once. Whether the files may be written is checked by `applyChanges`.
 */
export async function verifyPatch(
  hunks: readonly Hunk[],
  { cwd, lineEndings = "keep", mayRead, buffers }: VerifyOptions,
): Promise<Verification> {
  if (hunks.length === 0) return { ok: false, failure: { kind: "empty" } };
  const files = new PatchedFiles(mayRead, buffers);
  for (const hunk of hunks) {
    const failure = await checkHunk(files, hunk, { cwd, lineEndings });
    if (failure) return { ok: false, failure };
  }
  const edits = netEdits(files.list());
  if (!edits.ok) return edits;
  const changes = netChanges(files.list());
  const summary = successOutput(hunks);
  return { ok: true, patch: { cwd, changes, edits: edits.list, summary } };
}

type Settings = Required<Omit<VerifyOptions, "mayRead" | "buffers">>;

function checkHunk(files: PatchedFiles, hunk: Hunk, settings: Settings) {
  if (hunk.type === "add") return checkAdd(files, hunk, settings);
  return hunk.type === "delete"
    ? checkDelete(files, hunk, settings)
    : checkUpdate(files, hunk, settings);
}

async function checkAdd(files: PatchedFiles, hunk: AddHunk, { cwd }: Settings) {
  const path = resolve(cwd, hunk.path);
  const context = `Failed to write file ${path}`;
  if (endsAsFolder(hunk.path)) return isDirectory(context);
  const opened = await files.open(path, { follow: true, read: false, context });
  if (!opened.ok) return opened.failure;
  const { file } = opened;
  files.change(file, {
    exists: true,
    text: hunk.contents,
    added: true,
    rights: file.rights ?? file.before,
    movedFrom: undefined,
    label: labelOf(hunk),
  });
  return undefined;
}

async function checkDelete(files: PatchedFiles, hunk: DeleteHunk, { cwd }: Settings) {
  const path = resolve(cwd, hunk.path);
  const context = `Failed to read ${path}`;
  const briefly = `Failed to delete file ${path}`;
  const opened = await files.open(path, { follow: false, read: true, context });
  if (!opened.ok) {
    return opened.failure.kind === "io" ? { ...opened.failure, briefly } : opened.failure;
  }
  const { file } = opened;
  if (!file.exists) return { kind: "io", context, cause: knownCause("ENOENT"), briefly } as const;
  const label = labelOf(hunk);
  files.change(file, { exists: false, text: undefined, movedFrom: undefined, label });
  return undefined;
}

async function checkUpdate(files: PatchedFiles, hunk: UpdateHunk, settings: Settings) {
  const path = resolve(settings.cwd, hunk.path);
  const context = `Failed to read file to update ${path}`;
  const opened = await files.open(path, { follow: true, read: true, context });
  if (!opened.ok) return opened.failure;
  const text = textOf(opened.file, context);
  if (!text.ok) return text.failure;
  const result = newContents(text.text, hunk.chunks, { path, lineEndings: settings.lineEndings });
  if (!result.ok) return { kind: "no_match", message: result.message } as const;
  const changed = { text: result.text, label: labelOf(hunk) };
  if (hunk.movePath !== undefined) {
    if (endsAsFolder(hunk.movePath)) return isDirectory(`Failed to write file ${hunk.movePath}`);
    return moveFile(files, opened.file, path, resolve(settings.cwd, hunk.movePath), changed);
  }
  files.change(opened.file, changed);
  return undefined;
}

async function moveFile(
  files: PatchedFiles,
  source: PatchedFile,
  path: string,
  movePath: string,
  changed: { text: string; label: string },
): Promise<PatchFailure | undefined> {
  const context = `Failed to write file ${movePath}`;
  const opened = await files.open(movePath, { follow: true, read: false, context });
  if (!opened.ok) return opened.failure;
  const goneContext = `Failed to remove original ${path}`;
  const gone = await files.open(path, { follow: false, read: false, context: goneContext });
  if (!gone.ok) return gone.failure;

  const rights = source.rights ?? source.before;
  const movedFrom = source.movedFrom ?? originOf(gone.file, source);
  const { file } = opened;
  files.change(file, { exists: true, added: source.added, rights, movedFrom, ...changed });
  if (gone.file === file) file.movedFrom = undefined;
  else files.change(gone.file, { exists: false, text: undefined, label: changed.label });
  return undefined;
}

/** A file that the patch added has no origin: moving it is an addition elsewhere. */
function originOf(file: PatchedFile, source: PatchedFile) {
  if (source.added || !source.before?.bytes) return undefined;
  return { file, text: source.before.bytes.toString("utf8") };
}

type Text = { ok: true; text: string } | { ok: false; failure: PatchFailure };

function textOf(file: PatchedFile, context: string): Text {
  if (!file.exists) {
    return { ok: false, failure: { kind: "io", context, cause: knownCause("ENOENT") } };
  }
  if (file.text !== undefined) return { ok: true, text: file.text };
  const bytes = file.before?.bytes ?? Buffer.alloc(0);
  const reason = !isUtf8(bytes)
    ? "stream did not contain valid UTF-8"
    : bytes.includes(0)
      ? "the file is binary, it contains NUL bytes"
      : undefined;
  if (reason) return { ok: false, failure: { kind: "refused", context, reason } };
  return { ok: true, text: bytes.toString("utf8") };
}

function endsAsFolder(path: string): boolean {
  return path.endsWith("/") || path.endsWith(sep);
}

function isDirectory(context: string): PatchFailure {
  return { kind: "io", context, cause: knownCause("EISDIR") };
}
