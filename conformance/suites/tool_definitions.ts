import { toToolSpec } from "../../src/mcp/index.js";
import type { ToolSpec } from "../../src/protocol/types.js";
import { offeredName, offeredTools, type ToolSettings } from "../scenario/offered-tools.js";
import type { SuiteAdapter, SuiteContext } from "../suite.js";
import { differs } from "./differs.js";
import { type RunKind, runKind } from "./run-kind.js";

/** Tool definitions for models: the offered tools, and their parameters. */
export const suite: SuiteAdapter = {
  name: "tool_definitions",
  run: (testCase, context) => runKind(kinds, testCase, context),
};

const kinds: Record<string, RunKind<SuiteContext>> = {
  mcp_schema({ input_properties, expect_parameters }) {
    const inputSchema = { type: "object", properties: input_properties };
    const { parameters } = toToolSpec("server/tool", { name: "tool", inputSchema });
    return differs(parameters, expect_parameters);
  },
  sanitize_type({ schema, expect_type }) {
    const inputSchema = { properties: { it: schema } };
    const { parameters } = toToolSpec("server/tool", { name: "tool", inputSchema });
    const { properties } = parameters as { properties: Record<string, { type: string }> };
    return differs(properties.it?.type, expect_type);
  },
  async tool_names({ given, expect, era }, { dir }) {
    const offered = await offeredTools(given as ToolSettings, era, dir);
    const names = offered.map(nameOf);
    return differs(
      names,
      (expect as string[]).map((name) => offeredName(name, era)),
    );
  },
  async tool_schema({ given, expect, era }, { dir }) {
    const expected = expect as ToolSpec;
    const settings = { ...allTools, ...(given as ToolSettings) };
    const offered = await offeredTools(settings, era, dir);
    const tool = offered.find((spec) => nameOf(spec) === nameOf(expected));
    return differs(withoutProse(tool), expected);
  },
};

/** The expectation names the tool to look at; all tools are offered. */
const allTools: ToolSettings = {
  plan: true,
  apply_patch: true,
  web_search: true,
  view_image: true,
};

function nameOf(spec: ToolSpec): string {
  return "name" in spec ? spec.name : spec.type;
}

/** A spec without the texts for the model: descriptions, and the text of a grammar. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, entry]) => !(typeof entry === "string" && prose.has(key)),
  );
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutProse(entry)]));
}

const prose: ReadonlySet<string> = new Set(["description", "definition"]);
