import { type LineEdit, lineEdits } from "./line-edits.js";

/** How a unified diff is written. */
export interface UnifiedDiffOptions {
  /** How many unchanged lines to show around a change; 3 unless told. */
  context?: number;
  /** What stands after `---` and `+++`; without it there is no file header. */
  header?: { oldName: string; newName: string };
}

/** Writes what differs between two texts as a unified diff; empty when nothing does. */
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

/** Splits a text into lines, each with its line feed; the last one may lack it. */
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

/** Edits whose surroundings would touch share a hunk. */
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
