import type {
  CallToolResult,
  McpInvocation,
  McpStartupStatus,
  McpTool,
} from "../protocol/types.js";
import type { RequestOptions } from "./client.js";
import {
  collectStartup,
  type DescribeOptions,
  describeServers,
  listResources,
  type McpServerDescription,
  type McpStartup,
} from "./describe-servers.js";
import type { ResourceContents, ResourceKind } from "./requests.js";
import type { McpServerConfigs } from "./server-config.js";
import { SessionServer, type SessionServerOptions } from "./session-server.js";
import { type McpServerTool, nameTools } from "./tool-names.js";

/** Options for the servers of a session. */
export interface McpServersOptions extends SessionServerOptions {
  configs: McpServerConfigs;
  /** Called for each step of each server's startup, never before `startMcpServers` returns. */
  onStatus?(server: string, status: McpStartupStatus): void;
  /** Called when the tools of a server have changed. */
  onToolsChanged?(): void;
}

/**
 * Starts the servers of a session in parallel and returns immediately.
 *
 * A server that fails to start only loses its own tools. Call `close` when the session ends.
 */
export function startMcpServers(options: McpServersOptions): McpServers {
  return new McpServers(options);
}

/** MCP servers of a session. */
export class McpServers {
  readonly #options: McpServersOptions;
  #servers: ReadonlyMap<string, SessionServer>;
  #started: Promise<McpStartup>;
  /** Pending shutdown of removed servers. */
  #ended: Promise<unknown> = Promise.resolve();
  #tools: readonly McpServerTool[] | undefined;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#servers = this.#open(options.configs, new Map());
    this.#started = this.#start(new Set());
  }

  /** Outcome of the last startup; never rejects. */
  get started(): Promise<McpStartup> {
    return this.#started;
  }

  /**
   * Switches to another set of servers: starts new ones, stops removed ones, retains unchanged
   * ones.
   *
   * Pending calls to stopped servers fail; a server that failed to start is retried.
   */
  update(configs: McpServerConfigs): void {
    const before = this.#servers;
    this.#servers = this.#open(configs, before);
    this.#tools = undefined;
    const kept = new Set(this.#servers.values());
    const gone = [...before.values()].filter((server) => !kept.has(server));
    // A server with the same program or address is already leased again and stays up.
    this.#ended = Promise.all([this.#ended, ...gone.map((server) => server.close())]);
    this.#started = this.#start(new Set(before.values()));
  }

  /** True if no server is enabled. */
  get isEmpty(): boolean {
    return this.#servers.size === 0;
  }

  /** Returns the tools of all started servers, sorted by name. */
  tools(): readonly McpServerTool[] {
    this.#tools ??= nameTools(this.#servers, this.#options.era.mcp.toolNames);
    return this.#tools;
  }

  /** Returns the tools by qualified name, after all servers have started or failed. */
  async listTools(): Promise<Record<string, McpTool>> {
    await this.started;
    return Object.fromEntries(this.tools().map(({ name, tool }) => [name.qualified, tool]));
  }

  /** Returns a server's instructions for the model. */
  instructions(server: string): string | undefined {
    return this.#servers.get(server)?.instructions;
  }

  /**
   * Calls a tool; returns its result, or an error message.
   *
   * Rejects only if the signal aborts; the server is then sent a cancellation.
   */
  async call(
    invocation: McpInvocation,
    options: RequestOptions = {},
  ): Promise<CallToolResult | string> {
    const server = this.#servers.get(invocation.server);
    if (server === undefined) return `tool call error: ${unknownServer(invocation.server)}`;
    return server.call(invocation, options);
  }

  /** Returns one page of a server's resources; throws an error with a message for the model. */
  async listResources(
    kind: ResourceKind,
    options: { server: string; cursor?: string; signal?: AbortSignal },
  ): Promise<{ entries: unknown[]; nextCursor?: string }> {
    return this.#named(options.server).resourcePage(kind, options);
  }

  /** Returns the resources of all servers, by server; servers that fail are omitted. */
  async listAllResources(
    kind: ResourceKind,
    signal?: AbortSignal,
  ): Promise<Map<string, unknown[]>> {
    return listResources(this.#servers, kind, signal);
  }

  /** Reads a resource; throws an error with a message for the model. */
  async readResource(options: {
    server: string;
    uri: string;
    signal?: AbortSignal;
  }): Promise<ResourceContents> {
    return this.#named(options.server).readResource(options);
  }

  /** Returns the status of each server, after all have started or failed. */
  async describe(options: DescribeOptions = {}): Promise<McpServerDescription[]> {
    await this.started;
    return describeServers(this.#servers, options);
  }

  /** Releases the servers; resolves when those without other users have stopped. */
  async close(): Promise<void> {
    await Promise.all([this.#ended, ...[...this.#servers.values()].map((one) => one.close())]);
  }

  /** Returns the servers sorted by name, reusing unchanged ones. */
  #open(
    configs: McpServerConfigs,
    before: ReadonlyMap<string, SessionServer>,
  ): ReadonlyMap<string, SessionServer> {
    const changed = () => {
      this.#tools = undefined;
      this.#options.onToolsChanged?.();
    };
    const enabled = [...configs].filter(([, config]) => config.enabled !== false);
    return new Map(
      enabled
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, config]) => {
          const known = before.get(name);
          if (known?.serves(config)) return [name, known];
          return [name, new SessionServer(name, config, this.#options, changed)];
        }),
    );
  }

  async #start(before: ReadonlySet<SessionServer>): Promise<McpStartup> {
    const { onStatus } = this.#options;
    const servers = [...this.#servers];
    // The caller must have this object before its callbacks run.
    await Promise.resolve();
    for (const [name, server] of servers) {
      if (!before.has(server)) onStatus?.(name, { state: "starting" });
    }
    return collectStartup(new Map(servers), (name, status) => {
      this.#tools = undefined;
      onStatus?.(name, status);
    });
  }

  #named(name: string): SessionServer {
    const server = this.#servers.get(name);
    if (server === undefined) throw new Error(unknownServer(name));
    return server;
  }
}

function unknownServer(name: string): string {
  return `unknown MCP server '${name}'`;
}
