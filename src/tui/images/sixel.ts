import type { Picture } from "./png.js";

/** Steps of each channel: 6 × 6 × 6 colors. */
const steps = 6;
const bandRows = 6;

/** Encodes a picture as sixel graphics, scaled to a size; transparent pixels are left out. */
export function encodeSixel(
  { width, height, pixels }: Picture,
  size: { width: number; height: number },
): string {
  const scale = Math.min(size.width / width, size.height / height);
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.floor(side * scale))) as [
    number,
    number,
  ];
  const colorAt = (x: number, y: number): number => {
    const at = 4 * (Math.floor(y / scale) * width + Math.floor(x / scale));
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    if (alpha < 128) return -1;
    const [r, g, b] = [red, green, blue].map((value) => Math.round((value / 255) * (steps - 1)));
    return ((r ?? 0) * steps + (g ?? 0)) * steps + (b ?? 0);
  };
  const used = new Set<number>();
  const bands: string[] = [];
  for (let top = 0; top < rows; top += bandRows) {
    const cells = bandOf({ top, rows, columns }, colorAt);
    for (const color of cells.keys()) used.add(color);
    bands.push([...cells].map(([color, bits]) => `#${color}${packed(bits)}`).join("$"));
  }
  return `\x1bP0;1q"1;1;${columns};${rows}${[...used].map(definition).join("")}${bands.join("-")}\x1b\\`;
}

/** Returns the bits of six rows, by color. */
function bandOf(
  { top, rows, columns }: { top: number; rows: number; columns: number },
  colorAt: (x: number, y: number) => number,
): Map<number, Uint8Array> {
  const cells = new Map<number, Uint8Array>();
  for (let y = top; y < Math.min(rows, top + bandRows); y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const color = colorAt(x, y);
      if (color < 0) continue;
      const bits = cells.get(color) ?? new Uint8Array(columns);
      bits[x] = (bits[x] ?? 0) | (1 << (y - top));
      cells.set(color, bits);
    }
  }
  return cells;
}

function definition(color: number): string {
  const percent = (value: number) => Math.round((value / (steps - 1)) * 100);
  const [red, green, blue] = [
    Math.floor(color / steps / steps),
    Math.floor(color / steps) % steps,
    color % steps,
  ];
  return `#${color};2;${percent(red)};${percent(green)};${percent(blue)}`;
}

/** Encodes runs of equal bits. */
function packed(bits: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bits.length; ) {
    let until = from + 1;
    while (until < bits.length && bits[until] === bits[from]) until += 1;
    const sign = String.fromCharCode(63 + (bits[from] ?? 0));
    const count = until - from;
    text += count > 3 ? `!${count}${sign}` : sign.repeat(count);
    from = until;
  }
  return text;
}
