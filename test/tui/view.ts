import { loadLex } from "../../src/tui/markdown/libraries.js";
import { createTheme } from "../../src/tui/theme/theme.js";
import type { View } from "../../src/tui/view.js";

const lex = await loadLex();

/** A view without styles, so that lines can be compared as text. */
export function plainView(width: number, more: Partial<View> = {}): View {
  return { width, theme: withoutStyle(), lex, cwd: "/project", now: 10_000, ...more };
}

/** Removes the styles of lines. */
export function unstyled(lines: readonly string[]): string[] {
  return lines.map((line) =>
    line.replaceAll(/\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\/g, "").trimEnd(),
  );
}

function withoutStyle() {
  const theme = createTheme("mono");
  const plain = (text: string) => text;
  return {
    ...theme,
    bold: plain,
    dim: plain,
    italic: plain,
    underline: plain,
    strike: plain,
    heading: plain,
    link: plain,
    selected: plain,
    syntax: { ...theme.syntax, comment: plain },
  };
}
