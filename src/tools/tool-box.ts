import type { ToolSpec } from "../protocol/types.js";
import { type Tool, type ToolTurn, toolName } from "./tool.js";

/** The tools of a session. */
export interface ToolBox {
  /** What the model is offered in a turn with these settings. */
  offered(turn: ToolTurn): readonly ToolSpec[];
  /** The tool of that name, offered or not: models call what they know from elsewhere. */
  find(name: string): Tool | undefined;
}

/** A tool in the box, and when the model is told of it. */
export interface BoxedTool {
  tool: Tool;
  /** Other names it is called by. */
  aliases?: readonly string[];
  /** Absent: always. */
  offeredIn?(turn: ToolTurn): boolean;
}

/** Puts tools into a box; they are offered in the order given. */
export function createToolBox(entries: readonly BoxedTool[]): ToolBox {
  const byName = new Map<string, Tool>();
  for (const { tool, aliases = [] } of entries) {
    for (const name of [toolName(tool), ...aliases]) {
      if (!byName.has(name)) byName.set(name, tool);
    }
  }
  return {
    offered: (turn) =>
      entries
        .filter(({ offeredIn }) => offeredIn === undefined || offeredIn(turn))
        .map(({ tool }) => tool.spec),
    find: (name) => byName.get(name),
  };
}
