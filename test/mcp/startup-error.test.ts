import { expect, test } from "vitest";
import { startupErrorText } from "../../src/mcp/index.js";
import { httpServer } from "../support/mcp.js";

test("distinguishes a server that requires a login from one that fails", () => {
  expect(startupErrorText("s", "Auth required")).toBe(
    "The s MCP server is not logged in. Run `codex mcp login s`.",
  );
  expect(startupErrorText("s", "boom")).toBe("MCP client for `s` failed to start: boom");
});

test("a time-out names the setting that changes it", () => {
  const reason = "timed out handshaking with MCP server after 2s";

  expect(startupErrorText("s", reason, { startup_timeout_ms: 2_000 })).toBe(
    "MCP client for `s` timed out after 2 seconds. Add or adjust `startup_timeout_sec` in your " +
      "config.toml:\n[mcp_servers.s]\nstartup_timeout_sec = XX",
  );
  expect(startupErrorText("s", "request timed out")).toContain("timed out after 10 seconds");
});

test("GitHub is known to want a token", () => {
  const url = "https://api.githubcopilot.com/mcp/";

  expect(startupErrorText("gh", "Auth required", httpServer(url))).toMatch(
    /^GitHub MCP does not support OAuth\..*\[mcp_servers\.gh\]\nbearer_token_env_var = /s,
  );
  expect(startupErrorText("gh", "boom", httpServer(url, { http_headers: { a: "b" } }))).toBe(
    "MCP client for `gh` failed to start: boom",
  );
});
