import type { McpServer } from "@agentclientprotocol/sdk";
import { invalidParams } from "./errors.js";

/**
 * Converts the MCP servers of the editor to settings, as with `-c mcp_servers.NAME=…`.
 *
 * They are subject to the same requirements as those of config.toml, and take their place if the names are equal.
 */
export function toServerSettings(servers: readonly McpServer[] = []): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const server of servers) {
    const name = freeName(server.name, settings);
    settings[name] = toEntry(server);
  }
  return settings;
}

function toEntry(server: McpServer): Record<string, unknown> {
  if (!("type" in server)) {
    const { command, args, env } = server;
    return { command, args, env: toRecord(env) };
  }
  if (server.type === "http") return { url: server.url, http_headers: toRecord(server.headers) };
  throw invalidParams(
    `MCP server ${JSON.stringify(server.name)} uses ${JSON.stringify(server.type)}, which is not supported: use "stdio" or "http".`,
  );
}

function toRecord(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** Names of settings have letters, digits, `-` and `_` only. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_") || "server";
  for (let count = 1; ; count++) {
    const key = `mcp_servers.${plain}${count === 1 ? "" : `_${count}`}`;
    if (!(key in taken)) return key;
  }
}
