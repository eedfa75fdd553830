/**
 * A server of the config file, by its keys there.
 *
 * `command` and what belongs to it start a program, `url` and what belongs to it reach a server over
 * HTTP; the config sees to it that the two are not mixed.
 */
export interface McpServerConfig {
  command?: string;
  args?: readonly string[];
  /** Variables of the program besides the usual ones. */
  env?: Readonly<Record<string, string>>;
  /** Variables that the program gets from our environment. */
  env_vars?: readonly string[];
  cwd?: string;

  url?: string;
  bearer_token_env_var?: string;
  http_headers?: Readonly<Record<string, string>>;
  /** Headers whose value stands in an environment variable. */
  env_http_headers?: Readonly<Record<string, string>>;
  /** What is asked for when the user logs in. */
  scopes?: readonly string[];

  enabled?: boolean;
  /** A session without this server is not to go on. */
  required?: boolean;
  enabled_tools?: readonly string[];
  disabled_tools?: readonly string[];
  startup_timeout_sec?: number;
  startup_timeout_ms?: number;
  tool_timeout_sec?: number;
}

/** Servers by the names that the config gives them. */
export type McpServerConfigs = Readonly<Record<string, McpServerConfig>>;

const usualStartupMs = 10_000;

/** How long the handshake with a server may take, and after it the list of its tools. */
export function startupLimitMs(config: McpServerConfig): number {
  if (config.startup_timeout_sec !== undefined) return config.startup_timeout_sec * 1000;
  return config.startup_timeout_ms ?? usualStartupMs;
}

/** How long a call may take; `usualMs` where the config does not say. */
export function callLimitMs(config: McpServerConfig, usualMs: number): number {
  return config.tool_timeout_sec === undefined ? usualMs : config.tool_timeout_sec * 1000;
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
