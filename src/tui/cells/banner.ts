import type { BannerCell } from "../state/cell.js";
import { truncate, widthOf } from "../text/layout.js";
import { oneLine } from "../text/sanitize.js";
import type { View } from "../view.js";

/** What a conversation works with: a label and a value a line. */
export function bannerLines({ lines }: BannerCell, { theme, width }: View): string[] {
  const column = Math.max(0, ...lines.map(([label]) => widthOf(label)));
  return lines.map(([label, value]) => {
    const name = label === "" ? "" : `${theme.dim(oneLine(label).padEnd(column))}  `;
    const text = label === "" ? theme.bold(oneLine(value)) : oneLine(value);
    return truncate(`${name}${text}`, width);
  });
}
