import { counted } from "../text/count.js";

/** Keeps the first and the last lines, with a count of those between; all of them when few are hidden. */
export function foldLines(lines: readonly string[], most: number): string[] {
  if (lines.length <= most + 1) return [...lines];
  const head = Math.floor(most / 2);
  const tail = most - head;
  const hidden = lines.length - head - tail;
  return [
    ...lines.slice(0, head),
    `… ${counted(hidden, "more line")} (ctrl+t to view all)`,
    ...lines.slice(lines.length - tail),
  ];
}
