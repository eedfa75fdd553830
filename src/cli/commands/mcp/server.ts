import type { Config, McpServer } from "../../../config/index.js";
import { nearest } from "../../../lib/nearest.js";
import { CodexError } from "../../../protocol/error.js";
import { UsageError } from "../../exit-codes.js";

/** Formats a server as JSON with the fields of Codex. */
export function toJsonServer(server: McpServer): Record<string, unknown> {
  return {
    name: server.name,
    enabled: server.enabled,
    disabled_reason: null,
    transport: toJsonTransport(server),
    startup_timeout_sec: toSeconds(server.startup_timeout_ms),
    tool_timeout_sec: toSeconds(server.tool_timeout_ms),
  };
}

/** Formats names of variables with their values masked. */
export function hiddenValues(names: readonly string[]): string {
  return orDash(names.map((name) => `${name}=*****`).join(", "));
}

/** Returns `-` for an empty or missing text. */
export function orDash(text: string | undefined): string {
  return text || "-";
}

function toJsonTransport({ transport }: McpServer): Record<string, unknown> {
  if (transport.type === "stdio") {
    const { type, command, args, env, env_vars, cwd = null } = transport;
    return { type, command, args, env: orNull(env), env_vars, cwd };
  }
  const { type, url, bearer_token_env_var = null, http_headers, env_http_headers } = transport;
  return {
    type,
    url,
    bearer_token_env_var,
    http_headers: orNull(http_headers),
    env_http_headers: orNull(env_http_headers),
  };
}

function orNull(table: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  return Object.keys(table).length === 0 ? null : table;
}

function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : ms / 1000;
}

/** Returns the server of that name; throws with the nearest name if there is none. */
export function findServer({ mcp_servers }: Config, name: string | undefined): McpServer {
  if (name === undefined)
    throw new UsageError("Missing server name; `quire mcp list` lists the servers");
  const server = mcp_servers.get(name);
  if (server !== undefined) return server;
  const near = nearest(name, [...mcp_servers.keys()]);
  const hint = near === undefined ? "" : ` Did you mean '${near}'?`;
  throw new CodexError("not_found", `No MCP server named '${name}' found.${hint}`);
}
