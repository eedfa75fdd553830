import type { TurnCell } from "../state/cell.js";
import { truncate } from "../text/layout.js";
import { compactNumber, counted, durationText, priceText } from "../text/numbers.js";
import { marks } from "../theme/marks.js";
import type { View } from "../view.js";

const words = { completed: "", interrupted: "interrupted after ", failed: "failed after " };

/** Renders the footer of a turn: time, tokens, cost if known, and files changed. */
export function turnLines(cell: TurnCell, { theme, width }: View): string[] {
  const { status, durationMs, tokens, cost, changes } = cell;
  const isDone = status === "completed";
  const mark = isDone ? theme.success(marks.done) : theme.failure(marks.failed);
  const parts = [
    theme.dim(`${words[status]}${durationText(durationMs)}`),
    tokens > 0 ? theme.dim(`${compactNumber(tokens)} tokens`) : "",
    cost === undefined ? "" : theme.dim(priceText(cost)),
    changes.files > 0
      ? `${theme.dim(`${counted(changes.files, "file")} changed`)} ${theme.added(`+${changes.added}`)} ${theme.removed(`-${changes.removed}`)}`
      : "",
  ];
  return [truncate(`${mark} ${parts.filter(Boolean).join(theme.dim(" · "))}`, width)];
}
