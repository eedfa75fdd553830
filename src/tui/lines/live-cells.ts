import { liveAgentLines } from "../cells/agent.js";
import { renderCell } from "../cells/render-cell.js";
import type { Cell } from "../state/cell.js";
import type { View } from "../view.js";

/** What still runs, in at most `height` lines; what does not fit is shown by its end. */
export function liveCellLines(cells: readonly Cell[], view: View, height: number): string[] {
  const lines = cells.flatMap((cell) => {
    if (cell.kind === "agent") {
      const own = liveAgentLines(cell, view, height - 1);
      return cell.isTight ? own : ["", ...own];
    }
    const own = renderCell(cell, view);
    // Thoughts are shown by their last lines: the headline is in the working line.
    return cell.kind === "reasoning" && own.length > 5 ? ["", ...own.slice(-4)] : own;
  });
  return lines.length > height ? lines.slice(lines.length - height) : lines;
}
