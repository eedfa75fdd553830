import { lazy } from "../lib/async.js";
import type { ToolSpec } from "../protocol/types.js";
import type { Sandbox } from "../sandbox/index.js";
import type { Tool, ToolBox, ToolTurn } from "../tools/index.js";
import type { CellLimits } from "./cell-host.js";
import { execSpec, execTool, functionExecTool, waitTool } from "./cell-tools.js";
import type { Cells } from "./cells.js";
import { type NestedCatalogue, type NestingRules, nestedTools } from "./nested-tools.js";

/** Use of code mode in a turn: scripts only, or scripts beside the other tools. */
export type CodeMode = "only" | "beside";

/** Options of code mode. */
export interface CodeModeOptions {
  /** All tools, including those that the model would have to search for. */
  all: ToolBox;
  sandbox: Pick<Sandbox, "isolate">;
  limits: CellLimits;
  modeIn(turn: ToolTurn): CodeMode | undefined;
  /** Form of `exec`: plain text, or a function for models that know no other tools. */
  formIn(turn: ToolTurn): "custom" | "function";
  rules: NestingRules;
  /** Time after which a running script returns its output so far. */
  yieldMs: number;
}

/** Cells of a session, created when the first script runs. */
export interface CellAccess {
  cells(): Promise<Cells>;
  toolsIn(turn: ToolTurn): NestedCatalogue;
  /** Called when scripts cannot run on this machine: from now on tools are offered as usual. */
  giveUp(): void;
  /** Time after which a running script returns its output so far. */
  yieldMs: number;
}

/**
 * Offers `exec` and `wait`, which run scripts that call the tools of a box.
 *
 * Tools that ask the user are still called directly, and all others can be.
 */
export function withCodeMode(box: ToolBox, options: CodeModeOptions): ToolBox {
  let cells: Promise<Cells> | undefined;
  let isAvailable = true;
  let last: { specs: readonly ToolSpec[]; catalogue: NestedCatalogue } | undefined;
  const modeIn = (turn: ToolTurn) => (isAvailable ? options.modeIn(turn) : undefined);
  const toolsIn = (turn: ToolTurn): NestedCatalogue => {
    const specs = options.all.offered(turn);
    if (last === undefined || !isSame(last.specs, specs)) {
      const deferrable = options.all.deferrable?.(turn) ?? [];
      last = { specs, catalogue: nestedTools(specs, deferrable, options.rules) };
    }
    return last.catalogue;
  };
  const access: CellAccess = {
    toolsIn,
    yieldMs: options.yieldMs,
    cells() {
      cells ??= import("./cells.js").then(({ Cells }) => new Cells(options));
      return cells;
    },
    giveUp() {
      isAvailable = false;
    },
  };
  // Most sessions have no scripts, and create nothing for them.
  const wait = lazy(() => waitTool(access));
  const tools = new Map<string, () => Tool>([
    ["custom exec", lazy(() => execTool(access))],
    ["function exec", lazy(() => functionExecTool(access))],
    ["function wait", wait],
  ]);
  return {
    ...box,
    offered(turn) {
      const mode = modeIn(turn);
      if (mode === undefined) return box.offered(turn);
      const exec = execSpec(toolsIn(turn), options.formIn(turn));
      const direct = mode === "beside" ? box.offered(turn) : toolsIn(turn).direct;
      return [exec, wait().spec, ...direct];
    },
    find: (kind, name, namespace) => {
      const own = box.find(kind, name, namespace);
      return own ?? (namespace ? undefined : tools.get(`${kind} ${name}`)?.());
    },
    async close() {
      const started = await cells?.catch(() => undefined);
      await Promise.all([started?.close(), box.close()]);
    },
  };
}

function isSame(one: readonly ToolSpec[], other: readonly ToolSpec[]): boolean {
  return one.length === other.length && one.every((spec, index) => spec === other[index]);
}
