/** Style of a run of characters. */
interface Style {
  color?: string | undefined;
  fill?: string | undefined;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
}

const cell = { width: 8.4, height: 19 };
const margin = 14;
/** Colors of the drawn terminal. */
export const screenColors = {
  dark: { background: "#101113", foreground: "#e6e7e9" },
  light: { background: "#ffffff", foreground: "#1a1c1f" },
} as const;

const palette = [
  "#4b5263",
  "#e5736f",
  "#8fc47c",
  "#e2bd6b",
  "#6aa9f0",
  "#c583d8",
  "#5fc0c8",
  "#d6d9e0",
];

/**
 * Converts a screen with styles, as printed by tmux (`capture-pane -e`), to SVG; `title` describes
 * it.
 */
export function screenSvg(
  screen: string,
  columns: number,
  title: string,
  { background, foreground }: { background: string; foreground: string } = screenColors.dark,
): string {
  const lines = screen.replace(/\n+$/, "").split("\n");
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = Math.ceil(lines.length * cell.height + 2 * margin);
  const style: Style = {};
  const rows = lines.map((line, row) => rowSvg(line, row, style));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${foreground}" style="white-space:pre">`,
    ...rows.filter((row) => row !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Styles continue across lines, as in the output of tmux. */
function rowSvg(line: string, row: number, style: Style): string {
  const y = margin + (row + 0.75) * cell.height;
  let column = 0;
  let pieces = "";
  let fills = "";
  for (const [piece, codes] of line.matchAll(/\x1b\[([\d;]*)m|\x1b[^m]*|[^\x1b]+/g)) {
    if (codes !== undefined) applyCodes(style, codes);
    if (piece.startsWith("\x1b")) continue;
    // Each run is positioned separately, so that no font can shift the columns.
    const x = (margin + column * cell.width).toFixed(1);
    if (style.fill !== undefined) {
      const [top, wide] = [(y - 0.75 * cell.height).toFixed(1), [...piece].length * cell.width];
      fills += `<rect x="${x}" y="${top}" width="${wide.toFixed(1)}" height="${cell.height}" fill="${style.fill}"/>`;
    }
    if (piece.trim() !== "") {
      // Leading spaces would be dropped.
      const lead = piece.length - piece.trimStart().length;
      const from = (margin + (column + lead) * cell.width).toFixed(1);
      pieces += `<tspan x="${from}"${attributes(style)}>${escaped(piece.trim())}</tspan>`;
    }
    column += [...piece].length;
  }
  const text = pieces === "" ? "" : `<text y="${y.toFixed(1)}">${pieces}</text>`;
  return `${fills}${text}`;
}

function applyCodes(style: Style, codes: string): void {
  const numbers = codes === "" ? [0] : codes.split(";").map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) for (const key of Object.keys(style)) delete style[key as keyof Style];
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 7) style.inverse = true;
    else if (code >= 30 && code <= 37) style.color = palette[code - 30];
    else if (code >= 90 && code <= 97) style.color = palette[code - 90];
    else if (code === 39) style.color = undefined;
    else if (code === 49) style.fill = undefined;
    else if (code === 22) Object.assign(style, { bold: false, dim: false });
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 38 || code === 48) {
      const isIndexed = numbers[at + 1] === 5;
      const color = isIndexed ? indexed(numbers[at + 2] ?? 0) : rgb(numbers.slice(at + 2, at + 5));
      if (code === 38) style.color = color;
      else style.fill = color;
      at += isIndexed ? 2 : 4;
    }
  }
}

/** Returns a color of the palette of 256: 16 colors, a cube of 6 by 6 by 6, and grays. */
function indexed(index: number): string | undefined {
  if (index < 16) return palette[index % 8];
  if (index >= 232) return rgb(Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  const cube = index - 16;
  return rgb([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level));
}

function rgb(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function attributes({ color, bold, dim, italic, underline }: Style): string {
  return [
    color === undefined ? "" : ` fill="${color}"`,
    bold ? ' font-weight="bold"' : "",
    dim ? ' opacity="0.6"' : "",
    italic ? ' font-style="italic"' : "",
    underline ? ' text-decoration="underline"' : "",
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
