/** Style of a run of characters. */
interface Style {
  color?: string | undefined;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
}

const cell = { width: 8.4, height: 19 };
const margin = 14;
const background = "#14161b";
const foreground = "#d6d9e0";
const palette = [
  "#4b5263",
  "#e5736f",
  "#8fc47c",
  "#e2bd6b",
  "#6aa9f0",
  "#c583d8",
  "#5fc0c8",
  foreground,
];

/**
 * Converts a screen with styles, as printed by tmux (`capture-pane -e`), to SVG; `title` describes
 * it.
 */
export function screenSvg(screen: string, columns: number, title: string): string {
  const lines = screen.replace(/\n+$/, "").split("\n");
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = Math.ceil(lines.length * cell.height + 2 * margin);
  const style: Style = {};
  const rows = lines.map((line, row) => rowSvg(line, row, style));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${foreground}" xml:space="preserve">`,
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
  for (const [piece, codes] of line.matchAll(/\x1b\[([\d;]*)m|\x1b[^m]*|[^\x1b]+/g)) {
    if (codes !== undefined) applyCodes(style, codes);
    if (piece.startsWith("\x1b")) continue;
    // Each run is positioned separately, so that no font can shift the columns.
    const x = (margin + column * cell.width).toFixed(1);
    if (piece.trim() !== "")
      pieces += `<tspan x="${x}"${attributes(style)}>${escaped(piece)}</tspan>`;
    column += [...piece].length;
  }
  return pieces === "" ? "" : `<text y="${y.toFixed(1)}">${pieces}</text>`;
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
    else if (code === 38) at += 2;
  }
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
