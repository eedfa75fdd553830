import { isAbsolute, relative } from "node:path";
import type { PatchCell } from "../state/cell.js";
import { hang, truncate } from "../text/layout.js";
import { reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { FileUpdateChange } from "../wire.js";
import { diffOf, type FileDiff } from "./diff.js";
import { statusMark } from "./small.js";

/** Limit of diff lines in the transcript; full-screen pages and approvals show all. */
const mostRows = 60;

/** Renders file changes: a header and a diff for each file. */
export function patchLines({ changes, status }: PatchCell, view: View): string[] {
  const { theme } = view;
  const lines = changes.flatMap((change) => fileLines(change, status, view));
  if (status === "declined") return [theme.failure("✗ Denied the changes"), ...lines];
  if (status === "failed") return [theme.failure("✗ Failed to apply the changes"), ...lines];
  return lines;
}

function fileLines(change: FileUpdateChange, status: PatchCell["status"], view: View): string[] {
  const { theme, width } = view;
  const diff = diffOf(change);
  const counts = `(${theme.added(`+${diff.added}`)} ${theme.removed(`-${diff.removed}`)})`;
  const mark = statusMark(status, theme);
  const head = `${mark}${theme.bold(verbOf(change, status))} ${theme.name(pathText(change, view.cwd))} ${counts}`;
  const most = view.isFull ? Number.POSITIVE_INFINITY : mostRows;
  return [...hang(head, width, "", "  "), ...diffLines(diff, view, most)];
}

/** Renders at most `most` rows of a diff, numbered and colored. */
export function diffLines({ rows }: FileDiff, { theme, width }: View, most: number): string[] {
  const digits = String(rows.reduce((last, row) => Math.max(last, row.number ?? 0), 0)).length;
  const lines = rows.slice(0, most).flatMap((row) => {
    if (row.kind === "gap") return [theme.dim(`    ${" ".repeat(digits)} ⋮`)];
    const number = theme.dim(String(row.number).padStart(digits));
    const text = `${signs[row.kind]}${row.text}`;
    const style =
      row.kind === "added" ? theme.added : row.kind === "removed" ? theme.removed : plain;
    return hang(style(text), width, `    ${number} `);
  });
  const hidden = rows.length - most;
  return hidden > 0
    ? [...lines, theme.dim(truncate(`    … ${hidden} more lines (ctrl+t to view all)`, width))]
    : lines;
}

const signs = { added: "+", removed: "-", same: " " } as const;
const plain = (text: string) => text;

function verbOf({ kind }: FileUpdateChange, status: PatchCell["status"]): string {
  const isDone = status === "completed";
  if (kind.type === "add") return isDone ? "Added" : "Add";
  if (kind.type === "delete") return isDone ? "Deleted" : "Delete";
  return isDone ? "Edited" : "Edit";
}

function pathText({ path, kind }: FileUpdateChange, cwd: string): string {
  const from = reveal(shortPath(path, cwd)).replaceAll("\n", "␊");
  const to = kind.type === "update" ? kind.move_path : undefined;
  return to ? `${from} → ${reveal(shortPath(to, cwd)).replaceAll("\n", "␊")}` : from;
}

/** Returns a path relative to the thread's folder if it is inside. */
function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path) || cwd === "") return path;
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
