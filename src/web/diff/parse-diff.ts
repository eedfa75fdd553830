import type { FileUpdateChange } from "../../protocol/rpc/v2/item-parts.js";

/** A line of a diff, with its numbers in both versions. */
export interface DiffLine {
  kind: "add" | "remove" | "same" | "gap";
  text: string;
  old?: number;
  new?: number;
  /** Range of a changed line that differs from its counterpart. */
  emphasis?: [start: number, end: number];
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
      if (lines.length > 0 || old > 1) lines.push({ kind: "gap", text: (hunk[3] ?? "").trim() });
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
  const most = Math.min(one.text.length, other.text.length);
  if (most > 2000) return;
  let start = 0;
  while (start < most && one.text[start] === other.text[start]) start++;
  let end = 0;
  while (
    end < most - start &&
    one.text[one.text.length - 1 - end] === other.text[other.text.length - 1 - end]
  ) {
    end++;
  }
  // Lines with little in common are not compared.
  if (start + end < most / 3) return;
  one.emphasis = [start, one.text.length - end];
  other.emphasis = [start, other.text.length - end];
}
