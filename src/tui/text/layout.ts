import { truncateToWidth } from "../pi.js";
import { widthOf } from "./width.js";
import { wrap } from "./wrap.js";

export { widthOf, wrap };

/** Styled text cut to `width` columns, with a sign that there was more. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
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

/** Puts a prefix before the first line and another before those that follow. */
export function prefixed(lines: readonly string[], first: string, rest: string): string[] {
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}

function indentOf(prefix: string): string {
  return " ".repeat(widthOf(prefix));
}
