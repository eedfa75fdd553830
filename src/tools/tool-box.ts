import type { ToolSpec } from "../protocol/types.js";
import { type Tool, type ToolTurn, toolName } from "./tool.js";

/** The tools of a session. */
export interface ToolBox {
  /** What the model is offered in a turn with these settings. */
  offered(turn: ToolTurn): readonly ToolSpec[];
  /**
   * The tool of that name, offered or not: models call what they know from elsewhere. A function
   * and a custom tool may share a name.
   */
  find(kind: ToolKind, name: string, namespace?: string | null): Tool | undefined;
  /** Ends what tools have left running. */
  close(): Promise<void>;
}

/** How a tool is called: by the type of its spec. */
export type ToolKind = ToolSpec["type"];

/** A tool in the box, and when the model is told of it. */
export interface BoxedTool {
  tool: Tool;
  /** Other names it is called by. */
  aliases?: readonly string[];
  /** Absent: always. */
  offeredIn?(turn: ToolTurn): boolean;
}

/** Puts tools into a box; they are offered in the order given. */
export function createToolBox(
  entries: readonly BoxedTool[],
  close: () => Promise<void> = async () => {},
): ToolBox {
  const byName = new Map<string, Tool>();
  for (const { tool, aliases = [] } of entries) {
    for (const name of [toolName(tool), ...aliases]) {
      const key = keyOf(tool.spec.type, name);
      if (!byName.has(key)) byName.set(key, tool);
    }
  }
  return {
    offered: (turn) =>
      entries
        .filter(({ offeredIn }) => offeredIn === undefined || offeredIn(turn))
        .map(({ tool }) => tool.spec),
    find: (kind, name) => byName.get(keyOf(kind, name)),
    close,
  };
}

function keyOf(kind: ToolKind, name: string): string {
  return `${kind} ${name}`;
}
