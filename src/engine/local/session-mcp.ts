import type { Era } from "../../compat/index.js";
import { type Config, startableServers } from "../../config/index.js";
import type { McpServerPool } from "../../mcp/index.js";
import type { McpClient } from "../engine-parts.js";
import type { McpAccess } from "../mcp-access.js";
import type { StartedServers } from "./mcp.js";

/** What the servers of a session are started with. */
export interface SessionMcpOptions {
  era: Era;
  client: McpClient;
  pool(): Promise<McpServerPool>;
}

/**
 * The MCP servers of one session: those of its settings, and of these as they change.
 *
 * What talks to servers is only loaded when there are any.
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

  async prepare(config: Config): Promise<() => void> {
    const { servers, warnings } = await startableServers(config);
    const start = servers.size === 0 ? undefined : await this.#toStart();
    return () => {
      if (this.#isClosed) return;
      for (const message of warnings) this.#options.client.tell({ type: "warning", message });
      if (this.#servers !== undefined) this.#servers.update(servers);
      else this.#servers = start?.({ ...config, mcp_servers: servers });
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#servers?.close();
  }

  async #toStart(): Promise<(config: Config) => StartedServers> {
    const { startServers } = await import("./mcp.js");
    const { era, client } = this.#options;
    const pool = await this.#options.pool();
    return (config) => startServers(config, { pool, era, client });
  }
}
