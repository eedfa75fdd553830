import { calculateImageCellSize, encodeITerm2, encodeKitty, getImageDimensions } from "../pi.js";
import { decodePng } from "./png.js";
import { encodeSixel } from "./sixel.js";
import type { CellSize, ImageProtocol } from "./terminal-images.js";

/** How images are drawn in the transcript. */
export interface ImageView {
  protocol: ImageProtocol;
  cell: CellSize;
  /** Most rows of an image. */
  rows: number;
}

/** Most columns of an image. */
const mostColumns = 60;

/**
 * Renders an image as lines: blank ones that make room for it, and a last one that draws it above itself.
 *
 * Returns undefined for an image that this terminal cannot show. Such lines can be printed once, not
 * redrawn.
 */
export function imageLines(
  dataUrl: string,
  { protocol, cell, rows }: ImageView,
  width: number,
): string[] | undefined {
  const [, type = "", data = ""] = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(dataUrl) ?? [];
  const pixels = getImageDimensions(data, type);
  if (pixels === null || pixels.widthPx === 0 || pixels.heightPx === 0) return undefined;
  const size = calculateImageCellSize(pixels, Math.min(mostColumns, width - 2), rows, {
    widthPx: cell.width,
    heightPx: cell.height,
  });
  const sequence = encode(protocol, type, data, size, cell);
  if (sequence === undefined) return undefined;
  const up = size.rows > 1 ? `\x1b[${size.rows - 1}A` : "";
  const blank = Array.from({ length: size.rows - 1 }, () => "");
  return [...blank, `\x1b7${up}\r\x1b[2C${sequence}\x1b8`];
}

function encode(
  protocol: ImageProtocol,
  type: string,
  data: string,
  { columns, rows }: { columns: number; rows: number },
  cell: CellSize,
): string | undefined {
  if (protocol === "iterm2") return encodeITerm2(data, { width: columns, height: rows });
  // kitty and sixel need pixels: other formats would have to be decoded.
  if (type !== "image/png") return undefined;
  if (protocol === "kitty") return encodeKitty(data, { columns, rows, moveCursor: false });
  const picture = decodePng(Buffer.from(data, "base64"));
  return (
    picture &&
    encodeSixel(picture, {
      width: columns * cell.width,
      // A row of pixels less, so that no terminal scrolls.
      height: rows * cell.height - 1,
    })
  );
}
