/** A server that is a program, started by us. */
export interface StdioServerConfig {
  type: "stdio";
  command: string;
  args?: readonly string[];
  /** Variables of the program besides the usual ones. */
  env?: Readonly<Record<string, string>>;
  /** Variables that the program gets from our environment. */
  env_vars?: readonly string[];
  cwd?: string | undefined;
}

/** A server that is reached over HTTP. */
export interface HttpServerConfig {
  type: "streamable_http";
  url: string;
  /** The variable that has the token. */
  bearer_token_env_var?: string | undefined;
  http_headers?: Readonly<Record<string, string>>;
  /** Headers whose value stands in an environment variable. */
  env_http_headers?: Readonly<Record<string, string>>;
}

/** A server as the user has set it up. */
export interface McpServerConfig {
  transport: StdioServerConfig | HttpServerConfig;
  enabled?: boolean;
  /** A session without this server is not to go on. */
  required?: boolean;
  startup_timeout_ms?: number | undefined;
  tool_timeout_ms?: number | undefined;
  enabled_tools?: readonly string[] | undefined;
  disabled_tools?: readonly string[] | undefined;
  /** What is asked for when the user logs in. */
  scopes?: readonly string[] | undefined;
}

/** Servers by the names that the config gives them. */
export type McpServerConfigs = ReadonlyMap<string, McpServerConfig>;

const usualStartupMs = 10_000;

/** How long the handshake with a server may take, and after it the list of its tools. */
export function startupLimitMs(config: Pick<McpServerConfig, "startup_timeout_ms">): number {
  return config.startup_timeout_ms ?? usualStartupMs;
}

/** What is wrong with a server's name; names become part of the names of tools. */
export function nameProblem(name: string): string | undefined {
  if (/^[a-zA-Z0-9_-]+$/.test(name)) return undefined;
  return `invalid server name '${name}': must match pattern ^[a-zA-Z0-9_-]+$`;
}

/** Whether a tool of the server is offered: on the list of allowed ones, if any, and not forbidden. */
export function isToolAllowed(
  config: Pick<McpServerConfig, "enabled_tools" | "disabled_tools">,
  tool: string,
): boolean {
  if (config.enabled_tools !== undefined && !config.enabled_tools.includes(tool)) return false;
  return !config.disabled_tools?.includes(tool);
}
