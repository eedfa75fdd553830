import { sanitize } from "../text/sanitize.js";
import type { FileUpdateChange } from "../wire.js";

/** A line of a rendered diff. */
export type DiffRow =
  | { kind: "added" | "removed" | "same"; number: number; text: string }
  | { kind: "gap"; number?: undefined };

/** The changes to one file. */
export interface FileDiff {
  added: number;
  removed: number;
  rows: readonly DiffRow[];
}

/** Parses a change: all lines for an added or deleted file, a unified diff otherwise. */
export function diffOf({ kind, diff }: FileUpdateChange): FileDiff {
  if (kind.type === "update" || diff.startsWith("@@")) return readHunks(diff);
  const side = kind.type === "add" ? "added" : "removed";
  const lines = sanitize(diff).replace(/\n$/, "").split("\n");
  const rows = lines.map((text, index): DiffRow => ({ kind: side, number: index + 1, text }));
  return toDiff(diff === "" ? [] : rows);
}

/** Parses the hunks of one file; skips the header before the first. */
export function readHunks(text: string): FileDiff {
  const rows: DiffRow[] = [];
  let left = { before: 0, after: 0 };
  let before = 0;
  let after = 0;
  for (const line of sanitize(text).split("\n")) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      if (rows.length > 0) rows.push({ kind: "gap" });
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
    } else if (left.before <= 0 && left.after <= 0) {
      // Between files, or after the last hunk.
    } else if (line.startsWith("+")) {
      rows.push({ kind: "added", number: after++, text: line.slice(1) });
      left.after -= 1;
    } else if (line.startsWith("-")) {
      rows.push({ kind: "removed", number: before++, text: line.slice(1) });
      left.before -= 1;
    } else if (!line.startsWith("\\")) {
      rows.push({ kind: "same", number: after++, text: line.slice(1) });
      before += 1;
      left = { before: left.before - 1, after: left.after - 1 };
    }
  }
  return toDiff(rows);
}

function toDiff(rows: readonly DiffRow[]): FileDiff {
  return {
    added: rows.filter((row) => row.kind === "added").length,
    removed: rows.filter((row) => row.kind === "removed").length,
    rows,
  };
}
