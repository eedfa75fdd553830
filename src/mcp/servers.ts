import type { McpBehavior } from "../compat/index.js";
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
import type { McpServerConfigs } from "./server-config.js";
import {
  type ResourceContents,
  type ResourceKind,
  SessionServer,
  type SessionServerOptions,
} from "./session-server.js";
import { type McpServerTool, nameTools } from "./tool-names.js";

/** Options for the servers of a session. */
export interface McpServersOptions extends SessionServerOptions {
  configs: McpServerConfigs;
  behavior: SessionServerOptions["behavior"] & Pick<McpBehavior, "toolNames">;
  /** Told of each step of each server's start; never before `startMcpServers` has returned. */
  onStatus?(server: string, status: McpStartupStatus): void;
  /** Told when a server has other tools than before. */
  onToolsChanged?(): void;
}

/**
 * Starts the servers of a session, all at once, and returns at once.
 *
 * A server that does not start costs its own tools only. Call `close` when the session ends.
 */
export function startMcpServers(options: McpServersOptions): McpServers {
  return new McpServers(options);
}

/** The MCP servers that a session uses. */
export class McpServers {
  readonly #options: McpServersOptions;
  #servers: ReadonlyMap<string, SessionServer>;
  #started: Promise<McpStartup>;
  /** The end of servers that were given up. */
  #ended: Promise<unknown> = Promise.resolve();
  #tools: readonly McpServerTool[] | undefined;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#servers = this.#open(options.configs, new Map());
    this.#started = this.#start(new Set());
  }

  /** How the last start went; never rejects. */
  get started(): Promise<McpStartup> {
    return this.#started;
  }

  /**
   * Goes on with other servers: new ones start, those that are gone end, and the same ones stay.
   *
   * Calls to servers that end fail; one that did not start is tried again.
   */
  update(configs: McpServerConfigs): void {
    const before = this.#servers;
    this.#servers = this.#open(configs, before);
    this.#tools = undefined;
    const kept = new Set(this.#servers.values());
    const gone = [...before.values()].filter((server) => !kept.has(server));
    // A server whose program or address is the same is in use by now, and does not end.
    this.#ended = Promise.all([this.#ended, ...gone.map((server) => server.close())]);
    this.#started = this.#start(new Set(before.values()));
  }

  /** Whether any server is configured for use. */
  get isEmpty(): boolean {
    return this.#servers.size === 0;
  }

  /** The tools of all servers that have started, in the order of their names. */
  tools(): readonly McpServerTool[] {
    this.#tools ??= nameTools(this.#servers, this.#options.behavior.toolNames);
    return this.#tools;
  }

  /** The tools by the names the model calls them; waits for servers that are still starting. */
  async listTools(): Promise<Record<string, McpTool>> {
    await this.started;
    return Object.fromEntries(this.tools().map(({ name, tool }) => [name.qualified, tool]));
  }

  /** What a server says of itself, for the model. */
  instructions(server: string): string | undefined {
    return this.#servers.get(server)?.instructions;
  }

  /**
   * Calls a tool: its answer, or the text that says why there is none.
   *
   * Rejects only when the signal aborts; the server is then told that nobody waits any more.
   */
  async call(
    invocation: McpInvocation,
    options: RequestOptions = {},
  ): Promise<CallToolResult | string> {
    const server = this.#servers.get(invocation.server);
    if (server === undefined) return `tool call error: ${unknownServer(invocation.server)}`;
    return server.call(invocation, options);
  }

  /** One page of what a server has to read; throws with the reason, in words for the model. */
  async listResources(
    kind: ResourceKind,
    options: { server: string; cursor?: string; signal?: AbortSignal },
  ): Promise<{ entries: unknown[]; nextCursor?: string }> {
    return this.#named(options.server).resourcePage(kind, options);
  }

  /** All that all servers have to read, by server; those that cannot say are left out. */
  async listAllResources(
    kind: ResourceKind,
    signal?: AbortSignal,
  ): Promise<Map<string, unknown[]>> {
    return listResources(this.#servers, kind, signal);
  }

  /** Reads a resource; throws with the reason, in words for the model. */
  async readResource(options: {
    server: string;
    uri: string;
    signal?: AbortSignal;
  }): Promise<ResourceContents> {
    return this.#named(options.server).readResource(options);
  }

  /** What each server has, once all have started or failed to. */
  async describe(options: DescribeOptions = {}): Promise<McpServerDescription[]> {
    await this.started;
    return describeServers(this.#servers, options);
  }

  /** Gives the servers back; those that nobody else uses have ended when it resolves. */
  async close(): Promise<void> {
    await Promise.all([this.#ended, ...[...this.#servers.values()].map((one) => one.close())]);
  }

  /** The servers in the order of their names; one that is as before is the same. */
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
    // The caller is to know this object before it is told anything.
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
