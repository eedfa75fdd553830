import { type LineEdit, lineEdits } from "./line-edits.js";

/** Options for {@link unifiedDiff}. */
export interface UnifiedDiffOptions {
  /** Unchanged lines around a change. Defaults to 3. */
  context?: number;
  /** Names after `---` and `+++`; if omitted, there is no file header. */
  header?: { oldName: string; newName: string };
}

/** Writes the unified diff of two texts; empty if they are equal. */
export function unifiedDiff(oldText: string, newText: string, options: UnifiedDiffOptions = {}) {
  const oldLines = splitLines(oldText);
  const newLines = splitLines(newText);
  const edits = lineEdits(oldLines, newLines);
  const out: string[] = [];
  if (edits.length > 0 && options.header) {
    out.push(`--- ${options.header.oldName}\n`, `+++ ${options.header.newName}\n`);
  }
  const context = options.context ?? 3;
  for (const group of groupEdits(edits, context)) {
    writeHunk(out, group, { oldLines, newLines, context });
  }
  return out.join("");
}

/** Splits text into lines, each with its line feed; the last one may lack it. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Groups edits whose context would overlap into one hunk. */
function groupEdits(edits: readonly LineEdit[], context: number): LineEdit[][] {
  const groups: LineEdit[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const edit of edits) {
    if (edit.oldStart - end > 2 * context) groups.push([]);
    groups.at(-1)?.push(edit);
    end = edit.oldEnd;
  }
  return groups;
}

interface HunkSource {
  oldLines: readonly string[];
  newLines: readonly string[];
  context: number;
}

function writeHunk(out: string[], edits: readonly LineEdit[], source: HunkSource): void {
  const { oldLines, newLines, context } = source;
  const first = edits[0] as LineEdit;
  const last = edits.at(-1) as LineEdit;
  const before = Math.min(context, first.oldStart);
  const after = Math.min(context, oldLines.length - last.oldEnd);
  const oldStart = first.oldStart - before;
  const newStart = first.newStart - before;
  const oldRange = range(oldStart, last.oldEnd + after);
  const newRange = range(newStart, last.newEnd + after);

  out.push(`@@ -${oldRange} +${newRange} @@\n`);
  let position = oldStart;
  for (const edit of edits) {
    writeLines(out, " ", oldLines, position, edit.oldStart);
    writeLines(out, "-", oldLines, edit.oldStart, edit.oldEnd);
    writeLines(out, "+", newLines, edit.newStart, edit.newEnd);
    position = edit.oldEnd;
  }
  writeLines(out, " ", oldLines, position, last.oldEnd + after);
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}

function writeLines(
  out: string[],
  sign: string,
  lines: readonly string[],
  start: number,
  end: number,
): void {
  for (let index = start; index < end; index++) {
    const line = lines[index] as string;
    out.push(sign, line);
    if (!line.endsWith("\n")) out.push("\n\\ No newline at end of file\n");
  }
}

/** A file in a git diff. */
export interface GitFile {
  mode: "100644" | "100755" | "120000";
  /** Git's object id of the contents. */
  blobId: string;
  /** The contents; undefined if they are binary or too large to compare. */
  text: string | undefined;
  /**
   * The contents as a `GIT binary patch` block; if omitted, the diff only states that the files
   * differ.
   */
  binary?: string;
}

/** One file of a git diff. */
interface GitFileDiff {
  oldPath: string;
  newPath: string;
  /** Undefined if the file is new. */
  before: GitFile | undefined;
  /** Undefined if the file was deleted. */
  after: GitFile | undefined;
}

const NO_BLOB = "0".repeat(40);
const NO_FILE = "/dev/null";

/**
 * Writes one file of a git diff; empty if contents and mode are unchanged, even if it was moved.
 */
export function gitFileDiff({ oldPath, newPath, before, after }: GitFileDiff): string {
  const sameContents = before?.blobId === after?.blobId;
  const sameMode = before?.mode === after?.mode;
  if ((!before && !after) || (sameContents && sameMode)) return "";

  const oldName = quoteName(`a/${oldPath}`);
  const newName = quoteName(`b/${newPath}`);
  const lines = [`diff --git ${oldName} ${newName}\n`];
  if (!before) lines.push(`new file mode ${after?.mode}\n`);
  else if (!after) lines.push(`deleted file mode ${before.mode}\n`);
  else if (!sameMode) lines.push(`old mode ${before.mode}\nnew mode ${after.mode}\n`);
  if (sameContents) return lines.join("");

  lines.push(`index ${before?.blobId ?? NO_BLOB}..${after?.blobId ?? NO_BLOB}\n`);
  const header = { oldName: before ? oldName : NO_FILE, newName: after ? newName : NO_FILE };
  const isText = (!before || before.text !== undefined) && (!after || after.text !== undefined);
  if (isText) lines.push(unifiedDiff(before?.text ?? "", after?.text ?? "", { header }));
  else lines.push(binaryDiff(header, before, after));
  return lines.join("");
}

function binaryDiff(
  header: { oldName: string; newName: string },
  before: GitFile | undefined,
  after: GitFile | undefined,
): string {
  const isWhole =
    (!before || before.binary !== undefined) && (!after || after.binary !== undefined);
  if (!isWhole) return `--- ${header.oldName}\n+++ ${header.newName}\nBinary files differ\n`;
  const nothing = "literal 0\nHcmV?d00001\n\n";
  return `GIT binary patch\n${after?.binary ?? nothing}${before?.binary ?? nothing}`;
}

/** Quotes a name with special characters, as git does. */
function quoteName(name: string): string {
  if (!/[\x00-\x1f\x7f"\\]/.test(name)) return name;
  const quoted = name.replace(/[\x00-\x1f\x7f"\\]/g, (char) => {
    const short: Record<string, string> = { "\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
    return short[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${quoted}"`;
}
