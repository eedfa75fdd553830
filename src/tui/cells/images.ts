import { toImageDataUrl } from "../../lib/image.js";
import { type ImageView, imageLines } from "../images/image-lines.js";
import type { Cell } from "../state/cell.js";

/**
 * Renders the images of a cell, for printing once; `readImage` returns a file as a data URL.
 *
 * An image that the terminal cannot show stays the text that the cell has for it.
 */
export function cellImages(
  cell: Cell,
  view: ImageView,
  width: number,
  readImage: (path: string) => string | undefined,
): string[] {
  return imagesOf(cell, readImage).flatMap((url) => imageLines(url, view, width) ?? []);
}

function imagesOf(cell: Cell, readImage: (path: string) => string | undefined): string[] {
  if (cell.kind === "user") {
    return cell.input.flatMap((piece) => {
      if (piece.type === "image") return [piece.url];
      return piece.type === "localImage" ? (readImage(piece.path) ?? []) : [];
    });
  }
  if (cell.kind === "tool") {
    if (cell.image !== undefined) return [toDataUrl(cell.image)].filter((url) => url !== undefined);
    return cell.imagePath === undefined ? [] : [readImage(cell.imagePath) ?? ""];
  }
  if (cell.kind !== "mcp") return [];
  return (cell.item.result?.content ?? []).flatMap((part) => {
    const { type, data, mimeType } = (part ?? {}) as Readonly<Record<string, unknown>>;
    return type === "image" && typeof data === "string" ? [`data:${mimeType};base64,${data}`] : [];
  });
}

function toDataUrl(base64: string): string | undefined {
  return toImageDataUrl(Buffer.from(base64, "base64"));
}
