import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import type { FileChange } from "../protocol/types.js";
import { unifiedDiff } from "./diff/unified-diff.js";
import { knownCause, type PatchFailure } from "./failure.js";
import type { FileRights, FileSnapshot } from "./file-snapshot.js";
import type { Hunk } from "./hunk.js";
import type { PatchedFile } from "./patched-files.js";

/** What happens to one file, worked out before anything is written. */
export interface FileEdit {
  /** The absolute path as the patch means it; its last part may be a symbolic link. */
  path: string;
  /** The file that is really written or removed. */
  target: string;
  /** What is there now; nothing when the file is new. */
  before: FileSnapshot | undefined;
  /** The whole new text; nothing when the file is removed. */
  after: string | undefined;
  /** Mode and owner for the written file; nothing for those a new file gets. */
  rights: FileRights | undefined;
  /** How the change is listed: `A`, `M` or `D` and the path as the patch spells it. */
  label: string;
}

/** A patch of which every section fits the files as they are. */
export interface VerifiedPatch {
  /** The absolute folder that relative paths of the patch start from. */
  cwd: string;
  /** The changes by absolute path, as events carry them. */
  changes: Record<string, FileChange>;
  /** The steps, in the order in which they are taken; each file is in it once. */
  edits: FileEdit[];
  /** What is printed once all is done. */
  summary: string;
}

/** Unchanged lines around a change in `changes`. */
const CONTEXT = 1;

/** Sums up, by path, what a patch makes of the files as they are on disk. */
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

/** The steps that bring the files on disk to what the patch makes of them. */
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

/** Whether one of the folders of a path is a file that the patch writes. */
function liesInFile(path: string, written: ReadonlySet<string>): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (written.has(folder)) return true;
  }
  return false;
}

const SUCCESS = "Success. Updated the following files:";

/** The output of applied sections: first files added, then those modified, then those deleted. */
export function successOutput(hunks: readonly Hunk[]): string {
  const lines = ["A", "M", "D"].flatMap((letter) =>
    hunks.map(labelOf).filter((label) => label.startsWith(letter)),
  );
  return [SUCCESS, ...lines, ""].join("\n");
}

/** One line of the list: a letter and the path as the patch spells it, where a moved file is now. */
export function labelOf(hunk: Hunk): string {
  if (hunk.type === "add") return `A ${hunk.path}`;
  return hunk.type === "delete" ? `D ${hunk.path}` : `M ${hunk.movePath ?? hunk.path}`;
}
