import { isAbsolute, relative } from "node:path";
import { truncateToWidth } from "../pi.js";
import { isUnbroken } from "./hyperlink.js";
import { widthOf } from "./width.js";
import { wrap, wrapProse } from "./wrap.js";

export { widthOf, wrap, wrapProse };

/** Truncates styled text to `width` columns, with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width || isUnbroken(text)) return text;
  return truncateToWidth(text, Math.max(0, width), "…");
}

/** Wraps text with a hanging prefix: `first` for the first line, `rest` for the others. */
export function hang(text: string, width: number, first: string, rest = indentOf(first)): string[] {
  const room = Math.max(1, width - widthOf(first));
  return prefixed(
    text.split("\n").flatMap((line) => wrap(line, room)),
    first,
    rest,
  );
}

/** Like {@link hang}, but keeps long URLs whole. */
export function hangProse(text: string, width: number, first: string): string[] {
  const room = Math.max(1, width - widthOf(first));
  const lines = text.split("\n").flatMap((line) => wrapProse(line, room));
  return prefixed(lines, first, indentOf(first));
}

/** Prefixes lines: `first` for the first one, `rest` for the others, none for a long URL. */
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

/** Returns a path relative to the thread's folder if it is inside. */
export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path) || cwd === "") return path;
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
