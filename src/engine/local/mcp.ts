import type { Era } from "../../compat/index.js";
import type { Config, Environment } from "../../config/index.js";
import { outputLimitFor } from "../../exec/index.js";
import { McpServerPool, startMcpServers, userTokenStore } from "../../mcp/index.js";
import { createMcpTools, mcpResourceTools } from "../../tools/index.js";
import type { McpClient } from "../engine-parts.js";
import type { McpAccess } from "../mcp-access.js";

/** Where the servers of a process run, and where their logins are kept. */
export interface PoolPlace {
  env: Environment;
  cwd: string;
  era: Era;
  home: string;
}

/** The MCP servers of this process; sessions with equal servers share them. */
export function createMcpPool({ env, cwd, era, home }: PoolPlace): McpServerPool {
  const tokens = userTokenStore(home);
  return new McpServerPool({ env, cwd, version: era.compatibleWith, tokens });
}

/** The servers of a session, and how it goes on with others. */
export interface StartedServers extends Omit<McpAccess, "prepare"> {
  update(servers: Config["mcp_servers"]): void;
}

/** Starts the servers of a session and tells of their start what the era tells. */
export function startServers(
  config: Config,
  { pool, era, client }: { pool: McpServerPool; era: Era; client: McpClient },
): StartedServers {
  const { mcp: dialect } = era;
  const { tell, answer } = client;
  const limit = outputLimitFor(config.model, config.tool_output_token_limit);
  const servers = startMcpServers({
    pool,
    configs: config.mcp_servers,
    dialect,
    answerElicitation: answer,
    onStatus(server, status) {
      if (dialect.tellsStartup) tell({ type: "mcp_startup_update", server, status });
      else if (status.state === "failed") tell({ type: "error", message: status.error });
    },
  });
  const tellOfStart = async () => {
    const { ready, failed, cancelled } = await servers.started;
    if (dialect.tellsStartup) tell({ type: "mcp_startup_complete", ready, failed, cancelled });
  };
  void tellOfStart();
  return {
    get started() {
      return servers.started;
    },
    listTools: () => servers.listTools(),
    tools: {
      tools: createMcpTools({ servers, dialect, limit }),
      resources: dialect.resourceTools ? mcpResourceTools(servers, limit) : [],
      isUsed: () => !servers.isEmpty,
    },
    update(configs) {
      servers.update(configs);
      void tellOfStart();
    },
    close: () => servers.close(),
  };
}
