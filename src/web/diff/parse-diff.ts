import type { FileUpdateChange } from "../../protocol/rpc/v2/item-parts.js";
import { type Range, wordRanges } from "./word-ranges.js";

/** A line of a diff, with its numbers in both versions. */
export interface DiffLine {
  kind: "add" | "remove" | "same" | "gap";
  text: string;
  old?: number;
  new?: number;
  /** Ranges of a changed line that differ from its counterpart. */
  emphasis?: Range[];
}

/** Returns the lines of a change: a unified diff, or the content of an added or deleted file. */
export function diffLines({ kind, diff }: FileUpdateChange): DiffLine[] {
  const isWhole = kind.type !== "update" && !/^@@ /m.test(diff);
  const lines = isWhole ? wholeFile(diff, kind.type === "add") : unified(diff);
  emphasize(lines);
  return lines;
}

/** Counts the added and removed lines. */
export function countChanges(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { added: count("add"), removed: count("remove") };
}

/** Splits the diff of a turn into one change for each file. */
export function splitFiles(diff: string): FileUpdateChange[] {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  return parts.map((part) => {
    const path = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? /^--- a\/(.+)$/m.exec(part)?.[1] ?? "file";
    return { path: path.trim(), kind: { type: "update", move_path: null }, diff: part };
  });
}

function wholeFile(content: string, isAdded: boolean): DiffLine[] {
  const lines = content.replace(/\n$/, "").split("\n");
  return lines.map((text, at) =>
    isAdded ? { kind: "add", text, new: at + 1 } : { kind: "remove", text, old: at + 1 },
  );
}

function unified(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [old, next] = [1, 1];
  let isInHunk = false;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (hunk !== null) {
      [old, next] = [Number(hunk[1]), Number(hunk[2])];
      const text = (hunk[3] ?? "").trim();
      if (lines.length > 0 || text !== "") lines.push({ kind: "gap", text });
      isInHunk = true;
    } else if (!isInHunk) {
    } else if (line.startsWith("+")) lines.push({ kind: "add", text: line.slice(1), new: next++ });
    else if (line.startsWith("-")) lines.push({ kind: "remove", text: line.slice(1), old: old++ });
    else if (!line.startsWith("\\")) {
      lines.push({ kind: "same", text: line.slice(1), old: old++, new: next++ });
    }
  }
  return lines;
}

/** Marks the part that differs in pairs of a removed and an added line. */
function emphasize(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; at++) {
    const removed = runFrom(lines, at, "remove");
    if (removed === 0) continue;
    const added = runFrom(lines, at + removed, "add");
    if (removed === added) {
      for (let k = 0; k < added; k++) {
        const [one, other] = [lines[at + k], lines[at + removed + k]];
        if (one !== undefined && other !== undefined) markDifference(one, other);
      }
    }
    at += removed + added - 1;
  }
}

function runFrom(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let at = start;
  while (lines[at]?.kind === kind) at++;
  return at - start;
}

function markDifference(one: DiffLine, other: DiffLine): void {
  const ranges = wordRanges(one.text, other.text);
  if (ranges !== undefined) [one.emphasis, other.emphasis] = ranges;
}

/** A row of a side-by-side diff: the old line, the new one, or both. */
export interface DiffPair {
  old?: DiffLine;
  new?: DiffLine;
}

/** Puts removed lines beside the added ones that replace them. */
export function toPairs(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let at = 0;
  while (at < lines.length) {
    const removed = runFrom(lines, at, "remove");
    const added = runFrom(lines, at + removed, "add");
    for (let k = 0; k < Math.max(removed, added); k++) {
      const old = k < removed ? lines[at + k] : undefined;
      const next = k < added ? lines[at + removed + k] : undefined;
      pairs.push({ ...(old && { old }), ...(next && { new: next }) });
    }
    at += removed + added;
    const line = lines[at];
    if (line !== undefined && (line.kind === "same" || line.kind === "gap")) {
      pairs.push({ old: line, new: line });
      at++;
    }
  }
  return pairs;
}
