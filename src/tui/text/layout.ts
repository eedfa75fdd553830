import { truncateToWidth } from "../pi.js";
import { isUnbroken } from "./hyperlink.js";
import { widthOf } from "./width.js";
import { wrap, wrapProse } from "./wrap.js";

export { widthOf, wrap, wrapProse };

/** Styled text cut to `width` columns, with a sign that there was more. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width || isUnbroken(text)) return text;
  return truncateToWidth(text, Math.max(0, width), "…");
}

/** Wraps each line of a text behind a prefix: one for the first line, one for all others. */
export function hang(text: string, width: number, first: string, rest = indentOf(first)): string[] {
  const room = Math.max(1, width - widthOf(first));
  return prefixed(
    text.split("\n").flatMap((line) => wrap(line, room)),
    first,
    rest,
  );
}

/** The same for text that people read, in which long URLs stay whole. */
export function hangProse(text: string, width: number, first: string): string[] {
  const room = Math.max(1, width - widthOf(first));
  const lines = text.split("\n").flatMap((line) => wrapProse(line, room));
  return prefixed(lines, first, indentOf(first));
}

/** Puts a prefix before the first line and another before those that follow; none before a long URL. */
export function prefixed(lines: readonly string[], first: string, rest: string): string[] {
  return lines.flatMap((line, index) => {
    const prefix = index === 0 ? first : rest;
    if (!isUnbroken(line)) return [`${prefix}${line}`];
    return index === 0 && first.trim() !== "" ? [first.trimEnd(), line] : [line];
  });
}

function indentOf(prefix: string): string {
  return " ".repeat(widthOf(prefix));
}
