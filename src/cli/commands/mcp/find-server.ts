import type { Config, McpServer } from "../../../config/index.js";
import { nearest } from "../../../lib/nearest.js";
import { CodexError } from "../../../protocol/error.js";
import { UsageError } from "../../usage-error.js";

/** The server of a name; throws with the nearest name when there is none. */
export function findServer({ mcp_servers }: Config, name: string | undefined): McpServer {
  if (name === undefined) throw new UsageError("Name a server; `quire mcp list` has them all");
  const server = mcp_servers.get(name);
  if (server !== undefined) return server;
  const near = nearest(name, [...mcp_servers.keys()]);
  const hint = near === undefined ? "" : ` Did you mean '${near}'?`;
  throw new CodexError("not_found", `No MCP server named '${name}' found.${hint}`);
}
