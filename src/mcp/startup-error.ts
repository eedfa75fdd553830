import { type McpServerConfig, startupLimitMs } from "./server-config.js";

/** Formats the error of a server that did not start, with the remedy. */
export function startupErrorText(
  server: string,
  reason: string,
  config: Partial<McpServerConfig> = {},
): string {
  if (isGitHubWithoutToken(config.transport)) {
    return (
      "GitHub MCP does not support OAuth. Log in by adding a personal access token " +
      "(https://github.com/settings/personal-access-tokens) to your environment and config.toml:\n" +
      `[mcp_servers.${server}]\nbearer_token_env_var = CODEX_GITHUB_PERSONAL_ACCESS_TOKEN`
    );
  }
  if (reason.includes(authRequired)) {
    return `The ${server} MCP server is not logged in. Run \`codex mcp login ${server}\`.`;
  }
  if (timedOut.test(reason)) {
    const seconds = Math.floor(startupLimitMs(config) / 1000);
    return (
      `MCP client for \`${server}\` timed out after ${seconds} seconds. ` +
      "Add or adjust `startup_timeout_sec` in your config.toml:\n" +
      `[mcp_servers.${server}]\nstartup_timeout_sec = XX`
    );
  }
  return `MCP client for \`${server}\` failed to start: ${reason}`;
}

/** Part of the reason if the server requires a login that is missing. */
export const authRequired = "Auth required";

const timedOut = /request timed out|timed out (handshaking with MCP server|awaiting tools\/list)/;

/** GitHub accepts OAuth only from registered clients. */
function isGitHubWithoutToken(transport: McpServerConfig["transport"] | undefined): boolean {
  if (transport?.type !== "streamable_http") return false;
  const { url, bearer_token_env_var, http_headers = {} } = transport;
  const isGitHub = url === "https://api.githubcopilot.com/mcp/";
  return isGitHub && bearer_token_env_var === undefined && Object.keys(http_headers).length === 0;
}
