import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import type { FileChange } from "../protocol/types.js";
import { unifiedDiff } from "./diff/unified-diff.js";
import { knownCause, type PatchFailure } from "./failure.js";
import type { FileRights, FileSnapshot } from "./file-snapshot.js";
import type { Hunk } from "./hunk.js";
import type { PatchedFile } from "./patched-files.js";

/** The change to one file. */
export interface FileEdit {
  /** The absolute path in the patch; its last part may be a symbolic link. */
  path: string;
  /** The real path of the file to write or remove. */
  target: string;
  /** The file on disk; undefined if it is new. */
  before: FileSnapshot | undefined;
  /** The new text; undefined if the file is removed. */
  after: string | undefined;
  /** Mode and owner to set; undefined for the defaults of a new file. */
  rights: FileRights | undefined;
  /** Line of the summary: `A`, `M` or `D`, and the path as spelled in the patch. */
  label: string;
}

/** A patch whose sections all match the files. */
export interface VerifiedPatch {
  /** The absolute folder from which relative paths are resolved. */
  cwd: string;
  /** Changes by absolute path, as in events. */
  changes: Record<string, FileChange>;
  /** The edits in order; at most one per file. */
  edits: FileEdit[];
  /** Output after all edits are made. */
  summary: string;
}

/** Unchanged lines around a change in `changes`. */
const CONTEXT = 1;

/** Returns the net changes of a patch, by path. */
export function netChanges(files: readonly PatchedFile[]): Record<string, FileChange> {
  const changes: Record<string, FileChange> = Object.create(null);
  const moved = new Set<PatchedFile>();
  for (const file of files) {
    if (!file.exists || file.text === undefined) continue;
    const origin = file.movedFrom;
    if (origin && !origin.file.exists && origin.text !== undefined) {
      moved.add(origin.file);
      const unified_diff = unifiedDiff(origin.text, file.text, { context: CONTEXT });
      changes[origin.file.path] = { type: "update", unified_diff, move_path: file.path };
    } else {
      changes[file.path] = writtenFile(file, file.text);
    }
  }
  for (const file of files) {
    if (file.exists || !file.before || moved.has(file)) continue;
    changes[file.path] = { type: "delete", content: file.before.bytes?.toString("utf8") ?? "" };
  }
  return changes;
}

function writtenFile(file: PatchedFile, text: string): FileChange {
  const old = file.before?.bytes;
  if (file.added || !old || !isUtf8(old)) return { type: "add", content: text };
  const unified_diff = unifiedDiff(old.toString("utf8"), text, { context: CONTEXT });
  return { type: "update", unified_diff };
}

/** Returns the edits that bring the files on disk to their patched state. */
export function netEdits(
  files: readonly PatchedFile[],
): { ok: true; list: FileEdit[] } | { ok: false; failure: PatchFailure } {
  const list: FileEdit[] = [];
  const written = new Set<string>();
  for (const file of files) {
    const { path, target, before, label } = file;
    if (file.exists && file.text !== undefined) {
      written.add(target);
      const rights = file.rights ?? before;
      list.push({ path, target, before, after: file.text, rights, label });
    } else if (!file.exists && before) {
      list.push({ path, target, before, after: undefined, rights: undefined, label });
    }
  }
  for (const edit of list) {
    if (edit.after === undefined || !liesInFile(edit.target, written)) continue;
    const context = `Failed to write file ${edit.path}`;
    return { ok: false, failure: { kind: "io", context, cause: knownCause("ENOTDIR") } };
  }
  return { ok: true, list };
}

/** Returns whether a parent of the path is a file that the patch writes. */
function liesInFile(path: string, written: ReadonlySet<string>): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (written.has(folder)) return true;
  }
  return false;
}

const SUCCESS = "Success. Updated the following files:";

/** Formats the output of a successful patch: added files, then modified, then deleted ones. */
export function successOutput(hunks: readonly Hunk[]): string {
  const lines = ["A", "M", "D"].flatMap((letter) =>
    hunks.map(labelOf).filter((label) => label.startsWith(letter)),
  );
  return [SUCCESS, ...lines, ""].join("\n");
}

/** Returns the letter and path of a section; for a moved file, its new path. */
export function labelOf(hunk: Hunk): string {
  if (hunk.type === "add") return `A ${hunk.path}`;
  return hunk.type === "delete" ? `D ${hunk.path}` : `M ${hunk.movePath ?? hunk.path}`;
}
