import { type ComponentChildren, h } from "preact";
import type { ColoredRange } from "../markdown/highlight.js";
import type { DiffLine } from "./parse-diff.js";

/** Colored parts of the lines of a diff. */
export type LineColors = ReadonlyMap<DiffLine, readonly ColoredRange[]>;

type Colorize = (text: string, language: string) => ColoredRange[];

/**
 * Returns the colors of the code in a diff.
 *
 * Each version of a hunk is read as one text, since comments and strings may have several lines.
 */
export function lineColors(
  lines: readonly DiffLine[],
  path: string,
  highlighter: { colorsOf: Colorize } | undefined,
): LineColors {
  const colors = new Map<DiffLine, ColoredRange[]>();
  const language = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  if (highlighter === undefined || language === undefined) return colors;
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  if (length > mostLength) return colors;
  for (const hunk of hunksOf(lines)) {
    // An unchanged line has the colors of the new version.
    for (const hidden of ["add", "remove"]) {
      const version = hunk.filter(({ kind }) => kind !== hidden);
      const text = version.map((line) => line.text).join("\n");
      assign(version, highlighter.colorsOf(text, language), colors);
    }
  }
  return colors;
}

const mostLength = 60_000;

function hunksOf(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [[]];
  for (const line of lines) {
    if (line.kind === "gap") hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

/** Splits colored parts of a text at the ends of its lines. */
function assign(
  lines: readonly DiffLine[],
  ranges: readonly ColoredRange[],
  colors: Map<DiffLine, ColoredRange[]>,
): void {
  let start = 0;
  let next = 0;
  for (const line of lines) {
    const end = start + line.text.length;
    const parts: ColoredRange[] = [];
    for (let range = ranges[next]; range !== undefined && range.start < end; ) {
      const from = Math.max(range.start, start) - start;
      parts.push({ start: from, end: Math.min(range.end, end) - start, color: range.color });
      if (range.end > end) break; // it continues on the next line
      range = ranges[++next];
    }
    colors.set(line, parts);
    start = end + 1;
  }
}

/** Returns the text of a line with its colors, and emphasis on the words that differ. */
export function styledLine(
  { text, emphasis = [] }: DiffLine,
  colors: readonly ColoredRange[] = [],
): ComponentChildren {
  if (emphasis.length === 0) return colored(text, colors, 0, text.length);
  let at = 0;
  const parts: ComponentChildren[] = [];
  for (const [start, end] of emphasis) {
    parts.push(...colored(text, colors, at, start));
    parts.push(h("b", null, colored(text, colors, start, end)));
    at = end;
  }
  return [...parts, ...colored(text, colors, at, text.length)];
}

function colored(
  text: string,
  colors: readonly ColoredRange[],
  from: number,
  to: number,
): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = from;
  for (const { start, end, color } of colors) {
    const [first, last] = [Math.max(start, at), Math.min(end, to)];
    if (first >= last) continue;
    if (first > at) parts.push(text.slice(at, first));
    parts.push(h("span", { class: color }, text.slice(first, last)));
    at = last;
  }
  if (at < to) parts.push(text.slice(at, to));
  return parts;
}
