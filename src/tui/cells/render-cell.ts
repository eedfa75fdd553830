import type { Cell } from "../state/cell.js";
import { truncate } from "../text/layout.js";
import type { View } from "../view.js";
import { agentLines, reasoningLines } from "./agent.js";
import { answersLines, proposalLines } from "./answers.js";
import { commandLines } from "./command.js";
import { exploredLines } from "./explored.js";
import { mcpLines } from "./mcp.js";
import { patchLines } from "./patch.js";
import { bannerLines, noticeLines, planLines, reviewLines, toolLines } from "./small.js";
import { turnLines } from "./turn.js";
import { userLines } from "./user.js";

/** Renders a cell, with a blank line above it. */
export function renderCell(cell: Cell, view: View): string[] {
  // Cut again: a header or prefix can be wider than a very narrow terminal.
  const lines = cellLines(cell, view).map((line) => truncate(line, view.width));
  const isTight = cell.kind === "agent" && cell.isTight;
  return lines.length === 0 || isTight ? lines : ["", ...lines];
}

function cellLines(cell: Cell, view: View): string[] {
  switch (cell.kind) {
    case "user":
      return userLines(cell, view);
    case "agent":
      return agentLines(cell, view);
    case "reasoning":
      return reasoningLines(cell, view);
    case "command":
      return commandLines(cell, view);
    case "explored":
      return exploredLines(cell, view);
    case "patch":
      return patchLines(cell, view);
    case "plan":
      return planLines(cell, view);
    case "proposal":
      return proposalLines(view);
    case "answers":
      return answersLines(cell, view);
    case "mcp":
      return mcpLines(cell, view);
    case "tool":
      return toolLines(cell, view);
    case "notice":
      return noticeLines(cell, view);
    case "review":
      return reviewLines(cell, view);
    case "banner":
      return bannerLines(cell, view);
    case "turn":
      return turnLines(cell, view);
  }
}
