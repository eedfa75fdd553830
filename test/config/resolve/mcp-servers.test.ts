import { describe, expect, test } from "vitest";
import { toMcpServer } from "../../../src/config/resolve/mcp-servers.js";
import type { McpServerToml } from "../../../src/config/schema/mcp-server.js";

const defaults = {
  name: "s",
  enabled: true,
  required: false,
  startup_timeout_ms: undefined,
  tool_timeout_ms: undefined,
  enabled_tools: undefined,
  disabled_tools: undefined,
  scopes: undefined,
  fromProject: false,
};

describe("an MCP server", () => {
  test("of a command has the defaults filled in", () => {
    expect(toMcpServer("s", { command: "c" }, false)).toEqual({
      ...defaults,
      transport: { type: "stdio", command: "c", args: [], env: {}, env_vars: [], cwd: undefined },
    });
  });

  test("of a URL has the defaults filled in", () => {
    expect(toMcpServer("s", { url: "http://x" }, true)).toEqual({
      ...defaults,
      fromProject: true,
      transport: {
        type: "streamable_http",
        url: "http://x",
        bearer_token_env_var: undefined,
        http_headers: {},
        env_http_headers: {},
      },
    });
  });

  test.each<[McpServerToml, object]>([
    [{ command: "c", enabled: false }, { enabled: false }],
    [{ command: "c", required: true }, { required: true }],
    [{ command: "c", startup_timeout_sec: 1.5 }, { startup_timeout_ms: 1500 }],
    [{ command: "c", startup_timeout_ms: 20 }, { startup_timeout_ms: 20 }],
    [
      { command: "c", startup_timeout_ms: 20, startup_timeout_sec: 1 },
      { startup_timeout_ms: 1000 },
    ],
    [{ command: "c", tool_timeout_sec: 0.0004 }, { tool_timeout_ms: 0 }],
    [{ command: "c", enabled_tools: ["a"] }, { enabled_tools: ["a"] }],
    [{ url: "http://x", scopes: ["a"] }, { scopes: ["a"] }],
  ])("of %j has %j", (toml, part) => {
    expect(toMcpServer("s", toml, false)).toMatchObject(part);
  });

  test.each<[McpServerToml, string]>([
    [{}, "it needs a `command` or a `url`"],
    [{ command: "c", url: "http://x" }, "url is not supported for stdio"],
    [{ command: "c", http_headers: {} }, "http_headers is not supported for stdio"],
    [{ command: "c", env_http_headers: {} }, "env_http_headers is not supported for stdio"],
    [
      { command: "c", bearer_token_env_var: "T" },
      "bearer_token_env_var is not supported for stdio",
    ],
    [{ url: "http://x", args: [] }, "args is not supported for streamable_http"],
    [{ url: "http://x", env: {} }, "env is not supported for streamable_http"],
    [{ url: "http://x", cwd: "/" }, "cwd is not supported for streamable_http"],
    [
      { url: "http://x", bearer_token: "t" },
      "bearer_token is not supported for streamable_http; set bearer_token_env_var to the name of a variable",
    ],
  ])("of %j is an error", (toml, message) => {
    expect(toMcpServer("s", toml, false)).toBe(message);
  });
});
