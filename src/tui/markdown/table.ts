import type { Tokens } from "marked";
import { widthOf, wrap } from "../text/layout.js";
import type { View } from "../view.js";
import { inlineText } from "./inline.js";

/** Renders a table; wraps cells that are too wide. */
export function tableLines({ header, rows, align }: Tokens.Table, view: View): string[] {
  const { theme, width } = view;
  const head = header.map((cell) => theme.bold(inlineText(cell.tokens, theme)));
  const body = rows.map((row) => row.map((cell) => inlineText(cell.tokens, theme)));
  const widths = fitted(
    head.map((text, column) =>
      Math.max(1, ...[text, ...body.map((row) => row[column] ?? "")].map(widthOf)),
    ),
    width,
  );
  const ruler = theme.dim(widths.map((size) => "─".repeat(size)).join("  "));
  return [
    ...rowLines(head, widths, align),
    ruler,
    ...body.flatMap((row) => rowLines(row, widths, align)),
  ];
}

/** Shrinks the widest columns until all fit. */
function fitted(widths: number[], room: number): number[] {
  const available = Math.max(widths.length, room - 2 * (widths.length - 1));
  const shares = [...widths];
  let excess = shares.reduce((sum, size) => sum + size, 0) - available;
  while (excess > 0) {
    const widest = shares.indexOf(Math.max(...shares));
    if ((shares[widest] ?? 1) <= 1) break;
    shares[widest] = (shares[widest] ?? 1) - 1;
    excess -= 1;
  }
  return shares;
}

function rowLines(
  cells: readonly string[],
  widths: readonly number[],
  align: Tokens.Table["align"],
): string[] {
  const wrapped = widths.map((size, column) => wrap(cells[column] ?? "", size));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    widths
      .map((size, column) => aligned(wrapped[column]?.[row] ?? "", size, align[column] ?? null))
      .join("  ")
      .trimEnd(),
  );
}

function aligned(text: string, size: number, side: "left" | "right" | "center" | null): string {
  const free = Math.max(0, size - widthOf(text));
  if (side === "right") return " ".repeat(free) + text;
  if (side !== "center") return text + " ".repeat(free);
  const left = Math.floor(free / 2);
  return " ".repeat(left) + text + " ".repeat(free - left);
}
