import type { RunningSession } from "../exec/index.js";
import type { FunctionToolSpec, NamespaceToolSpec, ToolSpec } from "../protocol/types.js";
import type { Tool, ToolKind, ToolTurn } from "./tool.js";

/** The tools of a session. */
export interface ToolBox {
  /** Loads tools that only some models are offered; undefined if there is nothing to wait for. */
  prepare?(turn: ToolTurn): Promise<void> | undefined;
  /** Specs to offer in a turn with these settings. */
  offered(turn: ToolTurn): readonly ToolSpec[];
  /** Those of the offered specs that a model may search for instead. */
  deferrable?(turn: ToolTurn): readonly DeferrableSpec[];
  /**
   * Finds a tool by name, offered or not: models also call tools they know from training. A
   * function and a custom tool may share a name.
   */
  find(kind: ToolKind, name: string, namespace?: string | null): Tool | undefined;
  /** Ends processes that tools have left running. */
  close(): Promise<void>;
  /** Commands that keep running between calls; undefined if no tool starts any. */
  readonly background: BackgroundCommands | undefined;
}

/** Commands that may outlive the turn that started them. */
export interface BackgroundCommands {
  list(): RunningSession[];
  /** True while a command of any tool runs. */
  readonly isRunning: boolean;
  /** Ends one; false if there is none with this id. `exitCode` is reported instead of its own. */
  end(id: number, exitCode: number): boolean;
  /** Stops the clock of calls that wait for a command, or lets it continue. */
  hold(isHeld: boolean): void;
}

/** Definition that can be left out of requests until the model searches for it. */
export type DeferrableSpec = FunctionToolSpec | NamespaceToolSpec;

/** A tool in the box, and when to offer it. */
export interface BoxedTool {
  /** The tool itself. */
  tool: Tool;
  /** Other names it is called by. */
  aliases?: readonly string[];
  /** Absent: always. */
  offeredIn?(turn: ToolTurn): boolean;
}

/** Creates a box; tools are offered in this order. */
export function createToolBox(
  entries: readonly BoxedTool[],
  close: () => Promise<void> = async () => {},
  background?: BackgroundCommands,
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
    background,
  };
}

/** Options of a box whose tools are created late. */
export interface LateToolBoxOptions extends Pick<ToolBox, "close" | "background"> {
  /** True if the settings of a turn alone decide what is offered in it. */
  isFixed: boolean;
}

/**
 * Creates a box whose tools exist only while they are needed: a server may have hundreds of sessions, most of them idle.
 *
 * `create` is called again for a session that is used after many others were.
 */
export function createLateToolBox(
  create: () => readonly BoxedTool[],
  { close, background, isFixed }: LateToolBoxOptions,
): ToolBox {
  let box: ToolBox | undefined;
  let last: { turn: ToolTurn; specs: readonly ToolSpec[] } | undefined;
  const release = () => {
    box = undefined;
  };
  return {
    offered(turn) {
      if (last?.turn === turn) return last.specs;
      const specs = (box ?? createToolBox(create())).offered(turn);
      if (isFixed) last = { turn, specs };
      return specs;
    },
    find(kind, name) {
      box ??= createToolBox(create());
      releaseOldest(release);
      return box.find(kind, name);
    },
    close() {
      inUse.delete(release);
      return close();
    },
    background,
  };
}

/** Releases the tools of the sessions that called any last. */
const inUse = new Set<() => void>();
const mostInUse = 16;

/** Moves a session to the end of those in use; if there are too many, the tools of the first are released. */
function releaseOldest(used: () => void): void {
  inUse.delete(used);
  inUse.add(used);
  const [oldest] = inUse;
  if (inUse.size <= mostInUse || oldest === undefined) return;
  inUse.delete(oldest);
  oldest();
}

function keyOf(kind: ToolKind, name: string): string {
  return `${kind} ${name}`;
}

/** Returns the name of a tool; tools built into models have only a type. */
function toolName({ spec }: Tool): string {
  return "name" in spec ? spec.name : spec.type;
}
