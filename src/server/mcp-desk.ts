import { type Config, type McpServer, startableServers } from "../config/index.js";
import type { Machine } from "../engine/index.js";
import {
  type McpAuthStatus,
  type McpLogin,
  type McpServerDescription,
  type McpServerPool,
  type McpServers,
  mcpAuthStatus,
  type ResourceContents,
  startMcpLogin,
  startMcpServers,
  userTokenStore,
} from "../mcp/index.js";
import { CodexError } from "../protocol/error.js";
import type { CallToolResult, McpInvocation } from "../protocol/types.js";

/** Description of an MCP server and its authentication. */
export interface McpServerReport extends McpServerDescription {
  /** How the user is signed in to the server. */
  authStatus: McpAuthStatus;
  /** Origin of an HTTP server, without path and secrets. */
  httpOrigin: string | undefined;
}

/** The environment of MCP servers, and the home with their logins. */
export interface McpDeskPlace extends Pick<Machine, "env" | "era"> {
  home: string;
}

/**
 * Access to MCP servers for clients, outside of any turn.
 *
 * Uses the running servers of threads; starts others for one operation and stops them afterwards.
 */
export class McpDesk {
  readonly #place: McpDeskPlace;
  readonly #pool: McpServerPool;

  /** Creates the reports of the servers in a pool. */
  constructor(place: McpDeskPlace, pool: McpServerPool) {
    this.#place = place;
    this.#pool = pool;
  }

  /** Describes each configured server, including those that are disabled or do not start. */
  async report(
    config: Config,
    options: { only?: string | undefined; withResources?: boolean; signal?: AbortSignal },
  ): Promise<McpServerReport[]> {
    const { only, ...rest } = options;
    const servers = [...config.mcp_servers.values()]
      .filter(({ name }) => only === undefined || name === only)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = servers.map(({ name }) => name);
    const [described, statuses] = await Promise.all([
      this.#use(config, names, (started) => started.describe(rest)),
      Promise.all(servers.map((server) => this.#authStatus(server))),
    ]);
    return servers.map((server, index) => ({
      ...(described.find(({ name }) => name === server.name) ?? nothing(server.name)),
      authStatus: statuses[index] ?? "unsupported",
      httpOrigin: originOf(server),
    }));
  }

  /** Calls a tool; returns its result, or the error message. */
  call(
    config: Config,
    invocation: McpInvocation,
    signal: AbortSignal,
  ): Promise<CallToolResult | string> {
    return this.#use(config, [invocation.server], (servers) =>
      servers.call(invocation, { signal }),
    );
  }

  /** Reads a resource; throws if that fails. */
  readResource(
    config: Config,
    { server, uri }: { server: string; uri: string },
    signal: AbortSignal,
  ): Promise<ResourceContents> {
    return this.#use(config, [server], (servers) => servers.readResource({ server, uri, signal }));
  }

  /** Starts an OAuth login to a server in the browser. */
  login(
    config: Config,
    name: string,
    options: { scopes?: string[] | undefined; timeoutMs?: number | undefined; signal: AbortSignal },
  ): Promise<McpLogin> {
    const server = config.mcp_servers.get(name);
    if (server === undefined) {
      throw new CodexError("invalid_request", `No MCP server named '${name}' found.`);
    }
    if (server.transport.type === "stdio") {
      const message = "OAuth login is only supported for streamable HTTP servers.";
      throw new CodexError("invalid_request", message);
    }
    const { scopes = server.scopes, timeoutMs, signal } = options;
    const port = config.mcp_oauth_callback_port;
    return startMcpLogin({
      server: name,
      config: { transport: server.transport, ...(scopes === undefined ? {} : { scopes }) },
      store: userTokenStore(config.home),
      env: this.#place.env,
      signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(port === undefined ? {} : { callbackPort: port }),
    });
  }

  async #use<T>(
    config: Config,
    names: readonly string[],
    use: (servers: McpServers) => Promise<T>,
  ): Promise<T> {
    const { servers: all } = await startableServers(config);
    const configs = new Map([...all].filter(([name]) => names.includes(name)));
    const { era } = this.#place;
    const servers = startMcpServers({ pool: this.#pool, configs, era });
    try {
      await servers.started;
      return await use(servers);
    } finally {
      await servers.close();
    }
  }

  #authStatus(server: McpServer): Promise<McpAuthStatus> {
    const store = userTokenStore(this.#place.home);
    return mcpAuthStatus({ server: server.name, config: server, store });
  }
}

function nothing(name: string): McpServerDescription {
  return {
    name,
    tools: {},
    resources: [],
    resourceTemplates: [],
    facts: undefined,
    failure: undefined,
  };
}

function originOf({ transport }: McpServer): string | undefined {
  if (transport.type === "stdio" || !URL.canParse(transport.url)) return undefined;
  return new URL(transport.url).origin;
}
