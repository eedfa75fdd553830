import { isDeepStrictEqual } from "node:util";
import {
  type HttpServerConfig,
  isToolAllowed,
  type McpBehavior,
  type McpServerConfig,
  qualifyNames,
  startupErrorText,
} from "../../src/mcp/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";

/** Names of MCP tools, the offered ones, and the report for a server that fails. */
export const suite: SuiteAdapter = {
  name: "mcp_tool_names",
  run(testCase) {
    const namesCase = testCase as NamesCase;
    const expected = namesCase.expect_names ?? namesCase.expect;
    const actual = outcomeOf(namesCase);
    return isDeepStrictEqual(actual, expected) ? undefined : JSON.stringify(actual);
  },
};

interface Settings {
  enabled_tools?: string[] | null;
  disabled_tools?: string[] | null;
  startup_timeout_sec?: number | null;
  url?: string | null;
  bearer_token_env_var?: string | null;
  http_headers?: Record<string, string> | null;
}

interface NamesCase extends SuiteCase, Settings {
  tools?: [server: string, tool: string][];
  expect_names?: string[];
  tool?: string;
  server?: string;
  error?: string;
  config?: Settings;
  expect?: unknown;
}

function outcomeOf(testCase: NamesCase): unknown {
  const { kind, tool = "", server = "", error = "" } = testCase;
  switch (kind) {
    case "qualify": {
      const tools = (testCase.tools ?? []).map(([server, tool]) => ({ server, tool }));
      return [...qualifyNames(tools, formOf(testCase)).keys()];
    }
    case "tool_filter":
      return isToolAllowed(toConfig(testCase), tool);
    case "startup_error_message":
      return startupErrorText(server, error, toConfig(testCase));
    default:
      throw new CannotRun(`unknown kind ${kind}`);
  }
}

function formOf({ era }: NamesCase): McpBehavior["toolNames"] {
  return era.includes("v0.39") ? "server" : "mcp";
}

/** Settings are in the case itself or under `config`; `null` means that there are none. */
function toConfig({ config, ...testCase }: NamesCase): Partial<McpServerConfig> {
  const { url, ...settings } = { ...testCase, ...config };
  const seconds = settings.startup_timeout_sec ?? undefined;
  return {
    enabled_tools: settings.enabled_tools ?? undefined,
    disabled_tools: settings.disabled_tools ?? undefined,
    startup_timeout_ms: seconds === undefined ? undefined : seconds * 1000,
    ...(url ? { transport: toTransport(url, settings) } : {}),
  };
}

function toTransport(url: string, settings: Settings): HttpServerConfig {
  return {
    type: "streamable_http",
    url,
    bearer_token_env_var: settings.bearer_token_env_var ?? undefined,
    http_headers: settings.http_headers ?? {},
  };
}
