import { sanitize } from "../text/sanitize.js";
import type { FileUpdateChange } from "../wire.js";

/** One line of a diff as it is shown. */
export type DiffRow =
  | { kind: "added" | "removed" | "same"; number: number; text: string }
  | { kind: "gap"; number?: undefined };

/** What changed in one file. */
export interface FileDiff {
  added: number;
  removed: number;
  rows: readonly DiffRow[];
}

/** Reads a change: a new or deleted file is all of its lines, else there is a unified diff. */
export function diffOf({ kind, diff }: FileUpdateChange): FileDiff {
  if (kind.type === "update" || diff.startsWith("@@")) return readHunks(diff);
  const side = kind.type === "add" ? "added" : "removed";
  const lines = sanitize(diff).replace(/\n$/, "").split("\n");
  const rows = lines.map((text, index): DiffRow => ({ kind: side, number: index + 1, text }));
  return toDiff(diff === "" ? [] : rows);
}

/** Reads the hunks of one file; what comes before the first is its head and is passed over. */
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
      // Between files, or behind the last hunk.
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
