import type { PermissionRules } from "../protocol/permission-rules.js";

/** A server started as a child process. */
export interface StdioServerConfig {
  type: "stdio";
  command: string;
  args?: readonly string[];
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Variables passed through from this process. */
  env_vars?: readonly string[];
  cwd?: string | undefined;
  /** Files that permission rules deny to it. */
  confinement?: Confinement;
}

/** Rules for the files of a server program, and the workspace that they are for. */
export interface Confinement {
  rules: PermissionRules;
  cwd: string;
}

/** A server reached over HTTP. */
export interface HttpServerConfig {
  type: "streamable_http";
  url: string;
  /** Environment variable that contains the bearer token. */
  bearer_token_env_var?: string | undefined;
  http_headers?: Readonly<Record<string, string>>;
  /** Headers whose values come from environment variables. */
  env_http_headers?: Readonly<Record<string, string>>;
}

/** Configuration of a server. */
export interface McpServerConfig {
  transport: StdioServerConfig | HttpServerConfig;
  enabled?: boolean;
  /** If true, a session fails when this server does not start. */
  required?: boolean;
  startup_timeout_ms?: number | undefined;
  tool_timeout_ms?: number | undefined;
  enabled_tools?: readonly string[] | undefined;
  disabled_tools?: readonly string[] | undefined;
  /** OAuth scopes to request at login. */
  scopes?: readonly string[] | undefined;
}

/** Servers by their name in the config. */
export type McpServerConfigs = ReadonlyMap<string, McpServerConfig>;

const defaultStartupMs = 10_000;

/** Returns the time limit for the handshake, and again for the first tool list. */
export function startupLimitMs(config: Pick<McpServerConfig, "startup_timeout_ms">): number {
  return config.startup_timeout_ms ?? defaultStartupMs;
}

/** Returns the problem with a server name, if any; it becomes part of tool names. */
export function nameProblem(name: string): string | undefined {
  if (/^[a-zA-Z0-9_-]+$/.test(name)) return undefined;
  return `invalid server name '${name}': must match pattern ^[a-zA-Z0-9_-]+$`;
}

/** Returns true if a tool is in `enabled_tools` (if set) and not in `disabled_tools`. */
export function isToolAllowed(
  config: Pick<McpServerConfig, "enabled_tools" | "disabled_tools">,
  tool: string,
): boolean {
  if (config.enabled_tools !== undefined && !config.enabled_tools.includes(tool)) return false;
  return !config.disabled_tools?.includes(tool);
}

/** Variables passed to every server; others may contain secrets. */
const defaultVariables = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "__CF_USER_TEXT_ENCODING",
  "LANG",
  "LC_ALL",
  "TERM",
  "TMPDIR",
  "TZ",
];

/**
 * Returns the environment of a server's program: default, passed-through and configured variables.
 */
export function serverEnvironment(
  { env_vars = [], env = {} }: StdioServerConfig,
  ours: Readonly<NodeJS.ProcessEnv>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...defaultVariables, ...env_vars]) {
    const value = ours[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...env };
}

/** Returns the configured headers of each request, including the bearer token. */
export function configuredHeaders(
  config: HttpServerConfig,
  env: Readonly<NodeJS.ProcessEnv>,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(config.http_headers ?? {})) {
    setChecked(headers, name, value);
  }
  for (const [name, variable] of Object.entries(config.env_http_headers ?? {})) {
    const value = env[variable];
    if (value !== undefined && value.trim() !== "") setChecked(headers, name, value);
  }
  const token = bearerToken(config, env);
  if (token !== undefined) setChecked(headers, "authorization", `Bearer ${token}`);
  return headers;
}

function bearerToken(
  { bearer_token_env_var: variable }: HttpServerConfig,
  env: Readonly<NodeJS.ProcessEnv>,
): string | undefined {
  if (variable === undefined) return undefined;
  const token = env[variable]?.trim();
  if (token) return token;
  throw new Error(
    `Environment variable ${variable} for the bearer token is ${token === undefined ? "not set" : "empty"}`,
  );
}

/** Names the invalid header without its value, which may be secret. */
function setChecked(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`Invalid HTTP header \`${name}\` in the server's config`);
  }
}
