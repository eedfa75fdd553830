import { isDeepStrictEqual } from "node:util";
import {
  isToolAllowed,
  type McpServerConfig,
  qualifyNames,
  startupErrorText,
  type ToolNameForm,
} from "../../src/mcp/index.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";

/** What tools of MCP servers are called, which are offered, and what is said of a server that fails. */
export const suite: SuiteAdapter = {
  name: "mcp_tool_names",
  run(testCase) {
    const namesCase = testCase as NamesCase;
    const expected = namesCase.expect_names ?? namesCase.expect;
    const actual = outcomeOf(namesCase);
    return isDeepStrictEqual(actual, expected) ? undefined : JSON.stringify(actual);
  },
};

interface NamesCase extends SuiteCase {
  tools?: [server: string, tool: string][];
  expect_names?: string[];
  enabled_tools?: string[] | null;
  disabled_tools?: string[] | null;
  tool?: string;
  server?: string;
  error?: string;
  config?: McpServerConfig;
  expect?: unknown;
}

function outcomeOf(testCase: NamesCase): unknown {
  switch (testCase.kind) {
    case "qualify": {
      const tools = (testCase.tools ?? []).map(([server, tool]) => ({ server, tool }));
      return [...qualifyNames(tools, formOf(testCase)).keys()];
    }
    case "tool_filter":
      return isToolAllowed(toConfig(testCase), testCase.tool ?? "");
    case "startup_error_message":
      return startupErrorText(testCase.server ?? "", testCase.error ?? "", toConfig(testCase));
    default:
      return `unknown kind ${testCase.kind}`;
  }
}

function formOf({ era }: NamesCase): ToolNameForm {
  return era.includes("v0.39") ? "server" : "mcp";
}

/** Settings stand in the case itself or under `config`; `null` says that there is none. */
function toConfig({ config, ...testCase }: NamesCase): McpServerConfig {
  const settings = { ...testCase, ...config };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}
