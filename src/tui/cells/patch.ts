import type { PatchCell } from "../state/cell.js";
import { hang, shortPath, truncate, widthOf } from "../text/layout.js";
import { onBackground } from "../text/on-background.js";
import { reveal } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";
import type { View } from "../view.js";
import type { FileUpdateChange } from "../wire.js";
import { changedWords, type Range } from "./changed-words.js";
import { type DiffRow, diffOf, type FileDiff } from "./diff.js";
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

/**
 * Renders at most `most` rows of a diff, numbered; changed rows have a background, and the words
 * that differ in them are emphasized.
 */
export function diffLines({ rows }: FileDiff, { theme, width }: View, most: number): string[] {
  const digits = String(rows.reduce((last, row) => Math.max(last, row.number ?? 0), 0)).length;
  const shown = rows.slice(0, most);
  const words = changedWords(shown);
  const room = Math.max(1, width - indent.length);
  // As wide as its longest row, so that a narrower terminal does not wrap the padding.
  const block = Math.min(room, Math.max(0, ...shown.map(textWidth)) + digits + 3);
  const lines = shown.flatMap((row) => {
    if (row.kind === "gap") return [theme.dim(`${indent}${" ".repeat(digits)} ⋮`)];
    const number = theme.dim(String(row.number).padStart(digits));
    const own = hang(rowText(row, words.get(row) ?? [], theme), room, `${number} `);
    if (row.kind === "same") return own.map((line) => `${indent}${line}`);
    const background = theme.backgrounds[row.kind];
    return own.map((line) => `${indent}${onBackground(line, background, block)}`);
  });
  const hidden = rows.length - most;
  return hidden > 0
    ? [...lines, theme.dim(truncate(`${indent}… ${hidden} more lines (ctrl+t to view all)`, width))]
    : lines;
}

const indent = "    ";
const signs = { added: "+", removed: "-", same: " " } as const;

type TextRow = Exclude<DiffRow, { kind: "gap" }>;

function textWidth(row: DiffRow): number {
  return row.kind === "gap" ? 0 : widthOf(row.text);
}

function rowText({ kind, text }: TextRow, words: readonly Range[], theme: Theme): string {
  if (kind === "same") return ` ${text}`;
  const [color, emphasis] =
    kind === "added" ? [theme.added, theme.addedWord] : [theme.removed, theme.removedWord];
  // On a background the text keeps its own color.
  const style = theme.backgrounds[kind] === "" ? color : (plain: string) => plain;
  let end = 0;
  const parts = words.map(([from, to]) => {
    const part = `${style(text.slice(end, from))}${emphasis(style(text.slice(from, to)))}`;
    end = to;
    return part;
  });
  return `${color(signs[kind])}${parts.join("")}${style(text.slice(end))}`;
}

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
