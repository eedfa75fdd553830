import type { Era } from "../../compat/index.js";
import { type Config, type Environment, startableServers } from "../../config/index.js";
import { outputLimitFor } from "../../exec/index.js";
import {
  McpServerPool,
  type StartConfined,
  startMcpServers,
  userTokenStore,
} from "../../mcp/index.js";
import { CodexError } from "../../protocol/error.js";
import type { Sandbox } from "../../sandbox/index.js";
import type { Tracing } from "../../telemetry/index.js";
import { createMcpTools, mcpResourceTools } from "../../tools/index.js";
import type { McpAccess, McpClient } from "../mcp-access.js";

/** Working directory of MCP servers, and the home that stores their logins. */
interface PoolPlace {
  env: Environment;
  cwd: string;
  era: Era;
  home: string;
  sandbox: Sandbox;
}

/** The MCP servers of this process; sessions with equal servers share them. */
export function createMcpPool({ env, cwd, era, home, sandbox }: PoolPlace): McpServerPool {
  const tokens = userTokenStore(home);
  const startConfined: StartConfined = async (...start) => {
    const { confinedServers } = await import("./confined-servers.js");
    return confinedServers(sandbox)(...start);
  };
  return new McpServerPool({ env, cwd, version: era.compatibleWith, tokens, startConfined });
}

/** The running servers of a session. */
interface StartedServers extends Omit<McpAccess, "prepare"> {
  update(servers: Config["mcp_servers"]): void;
}

/** Starts the servers of a session and emits the startup events of the era. */
function startServers(
  config: Config,
  { pool, era, client, tracing }: Omit<SessionMcpOptions, "pool"> & { pool: McpServerPool },
): StartedServers {
  const hasEvents = era.since["0.104"];
  const { emit, answer } = client;
  const limit = outputLimitFor(config.model, config.tool_output_token_limit);
  const servers = startMcpServers({
    pool,
    configs: config.mcp_servers,
    era,
    answerElicitation: answer,
    tracing,
    onStatus(server, status) {
      if (hasEvents) emit({ type: "mcp_startup_update", server, status });
      else if (status.state === "failed") emit({ type: "error", message: status.error });
    },
  });
  const emitStartup = async () => {
    const { ready, failed, cancelled } = await servers.started;
    if (hasEvents) emit({ type: "mcp_startup_complete", ready, failed, cancelled });
  };
  void emitStartup();
  return {
    get started() {
      return servers.started;
    },
    listTools: () => servers.listTools(),
    callTool: (invocation, signal) => servers.call(invocation, { signal }),
    tools: {
      tools: createMcpTools({ servers, era, limit }),
      resources: era.since["0.104"] ? mcpResourceTools(servers, limit) : [],
      isUsed: () => !servers.isEmpty,
    },
    update(configs) {
      servers.update(configs);
      void emitStartup();
    },
    close: () => servers.close(),
  };
}

/** Options for the servers of a session. */
interface SessionMcpOptions {
  era: Era;
  client: McpClient;
  pool(): McpServerPool;
  tracing: Tracing;
}

/**
 * The MCP servers of one session: those of its settings, and of these as they change.
 *
 * Nothing is started or loaded if there are none.
 */
export class SessionMcp implements McpAccess {
  readonly #options: SessionMcpOptions;
  #servers: StartedServers | undefined;
  #isClosed = false;

  constructor(options: SessionMcpOptions) {
    this.#options = options;
  }

  get started(): Promise<unknown> {
    return this.#servers?.started ?? Promise.resolve();
  }

  get tools(): McpAccess["tools"] {
    return this.#servers?.tools;
  }

  async listTools(): ReturnType<McpAccess["listTools"]> {
    return this.#servers?.listTools() ?? {};
  }

  async callTool(...call: Parameters<McpAccess["callTool"]>): ReturnType<McpAccess["callTool"]> {
    if (this.#servers !== undefined) return this.#servers.callTool(...call);
    throw new CodexError("not_found", `No MCP server "${call[0].server}" is configured`);
  }

  async prepare(config: Config): Promise<() => void> {
    const { servers, warnings } = await startableServers(config);
    return () => {
      if (this.#isClosed) return;
      const { client } = this.#options;
      for (const message of warnings) client.emit({ type: "warning", message });
      if (this.#servers !== undefined) this.#servers.update(servers);
      else if (servers.size > 0) this.#servers = this.#start({ ...config, mcp_servers: servers });
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#servers?.close();
  }

  #start(config: Config): StartedServers {
    return startServers(config, { ...this.#options, pool: this.#options.pool() });
  }
}
