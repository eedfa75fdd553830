import { isRecord, parseRecord } from "../../protocol/read/check.js";
import type { ToolSearchToolSpec, ToolSpec } from "../../protocol/types.js";
import { parameters } from "../parameters.js";
import type { Tool, ToolOutput, ToolTurn } from "../tool.js";
import type { DeferrableSpec, ToolBox } from "../tool-box.js";

/**
 * Form of the search: items that some models know, or a plain function for all others. Tools that a
 * function has found are offered from the next request on.
 */
export type SearchForm = "items" | "function";

/** Decides on the form of the search in a turn; `undefined` if all tools are offered. */
export type SearchRule = (turn: ToolTurn, deferrable: number) => SearchForm | undefined;

/**
 * Replaces the deferrable tools of a box with a search for them.
 *
 * All of them can be called without a search too.
 */
export function withToolSearch(box: ToolBox, formIn: SearchRule): ToolBox {
  /** Names found by the plain function. */
  const found = new Set<string>();
  const search = async (text: string, turn: ToolTurn): Promise<DeferrableSpec[]> => {
    const { rankTools } = await import("./rank-tools.js");
    const { query, limit } = readQuery(text);
    return rankTools(box.deferrable?.(turn) ?? [], query, limit);
  };
  const byItems = searchTool(itemSpec, async (text, turn) => {
    return { text: "", success: true, found: await search(text, turn) };
  });
  const byFunction = searchTool(functionSpec, async (text, turn) => {
    const specs = await search(text, turn);
    for (const { name } of functionsOf(specs)) found.add(name);
    return { text: describeFound(specs), success: true };
  });
  return {
    ...box,
    offered(turn) {
      const all = box.offered(turn);
      const deferrable = box.deferrable?.(turn) ?? [];
      if (deferrable.length === 0) return all;
      const form = formIn(turn, functionsOf(deferrable).length);
      if (form === undefined) return all;
      const isFound = (spec: DeferrableSpec) =>
        form === "function" && functionsOf([spec]).some(({ name }) => found.has(name));
      const hidden = new Set<ToolSpec>(deferrable.filter((spec) => !isFound(spec)));
      const shown = all.filter((spec) => !hidden.has(spec));
      return insertBeforeWebSearch(shown, form === "items" ? itemSpec : functionSpec);
    },
    find(kind, name, namespace) {
      if (kind === "tool_search") return byItems;
      const own = box.find(kind, name, namespace);
      if (own !== undefined || kind !== "function" || name !== functionSpec.name) return own;
      return byFunction;
    },
  };
}

const defaultLimit = 8;

const input = parameters(
  {
    limit: { type: "number", description: `Most tools to find; ${defaultLimit} by default.` },
    query: { type: "string", description: "Words that describe the tool you need." },
  },
  ["query"],
);

const description =
  "Finds tools that are not listed here, such as those of connected MCP servers, by their name, their " +
  "description and their parameters. Search before you conclude that there is no tool for a task; the " +
  "tools found can then be called like any other.";

const itemSpec: ToolSearchToolSpec = {
  type: "tool_search",
  execution: "client",
  description,
  parameters: input,
};

const functionSpec = {
  type: "function",
  name: "tool_search",
  description,
  strict: false,
  parameters: input,
} satisfies ToolSpec;

type RunSearch = (text: string, turn: ToolTurn) => Promise<ToolOutput>;

function searchTool(spec: ToolSpec, run: RunSearch): Tool {
  return {
    spec,
    isReadOnly: () => true,
    run: ({ text }, { turn }) => run(text, turn),
  };
}

/** Reads the arguments; a mistake of the model finds nothing. */
function readQuery(text: string): { query: string; limit: number } {
  const args = parseRecord(text);
  const { query, limit } = isRecord(args) ? args : {};
  return {
    query: typeof query === "string" ? query : "",
    limit: typeof limit === "number" ? Math.trunc(limit) : defaultLimit,
  };
}

function functionsOf(specs: readonly DeferrableSpec[]) {
  return specs.flatMap((spec) => (spec.type === "namespace" ? spec.tools : [spec]));
}

function describeFound(specs: readonly DeferrableSpec[]): string {
  const tools = functionsOf(specs).map(({ name, description: text }) => ({
    name,
    description: text,
  }));
  return JSON.stringify({ tools });
}

/** Models know the built-in search as the last tool. */
function insertBeforeWebSearch(specs: ToolSpec[], spec: ToolSpec): ToolSpec[] {
  const index = specs.findIndex(({ type }) => type === "web_search");
  return index < 0 ? [...specs, spec] : specs.toSpliced(index, 0, spec);
}
