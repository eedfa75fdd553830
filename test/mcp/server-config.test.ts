import { expect, test } from "vitest";
import {
  configuredHeaders,
  type HttpServerConfig,
  isToolAllowed,
  nameProblem,
  type StdioServerConfig,
  serverEnvironment,
  startupLimitMs,
} from "../../src/mcp/server-config.js";

const http: HttpServerConfig = { type: "streamable_http", url: "https://example.com/mcp" };

test.each<[object, string, boolean]>([
  [{}, "a", true],
  [{ enabled_tools: ["a"] }, "a", true],
  [{ enabled_tools: ["a"] }, "b", false],
  [{ enabled_tools: [] }, "a", false],
  [{ disabled_tools: ["a"] }, "a", false],
  [{ disabled_tools: ["a"] }, "b", true],
  [{ enabled_tools: ["a", "b"], disabled_tools: ["a"] }, "a", false],
])("with %j the tool %s is allowed: %j", (config, tool, expected) => {
  expect(isToolAllowed(config, tool)).toBe(expected);
});

test.each<[string, boolean]>([
  ["files", true],
  ["my-server_2", true],
  ["", false],
  ["a b", false],
  ["a.b", false],
  ["é", false],
])("the server name %j is valid: %j", (name, isValid) => {
  expect(nameProblem(name) === undefined).toBe(isValid);
});

test("the startup limit is ten seconds unless configured", () => {
  expect(startupLimitMs({})).toBe(10_000);
  expect(startupLimitMs({ startup_timeout_ms: 0 })).toBe(0);
});

test("a program gets default, passed-through and configured variables, and no others", () => {
  const config: StdioServerConfig = {
    type: "stdio",
    command: "x",
    env_vars: ["MY_TOKEN", "UNSET"],
    env: { PATH: "/own", EXTRA: "1" },
  };
  const ours = { PATH: "/bin", HOME: "/home/me", MY_TOKEN: "t", OPENAI_API_KEY: "secret" };

  expect(serverEnvironment(config, ours)).toEqual({
    PATH: "/own",
    HOME: "/home/me",
    MY_TOKEN: "t",
    EXTRA: "1",
  });
});

test("headers come from the config, the environment and the bearer token", () => {
  const config = {
    ...http,
    http_headers: { "X-One": "1", Authorization: "Basic x" },
    env_http_headers: { "X-Two": "TWO", "X-Blank": "BLANK", "X-Unset": "UNSET" },
    bearer_token_env_var: "TOKEN",
  };

  const headers = configuredHeaders(config, { TWO: "2", BLANK: "  ", TOKEN: " abc " });

  expect([...headers]).toEqual([
    ["authorization", "Bearer abc"],
    ["x-one", "1"],
    ["x-two", "2"],
  ]);
});

test.each([
  [{}, "Environment variable TOKEN for the bearer token is not set"],
  [{ TOKEN: " " }, "Environment variable TOKEN for the bearer token is empty"],
])("with %j the missing bearer token is an error", (env, message) => {
  expect(() => configuredHeaders({ ...http, bearer_token_env_var: "TOKEN" }, env)).toThrow(message);
});

test("an invalid header is named without its value", () => {
  const config = { ...http, env_http_headers: { "X-Key": "KEY" } };

  expect(() => configuredHeaders(config, { KEY: "secret\nvalue" })).toThrow(
    /^Invalid HTTP header `X-Key` in the server's config$/,
  );
});
