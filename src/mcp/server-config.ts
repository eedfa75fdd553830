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

/** Variables that every server gets; others may be secrets that are none of its business. */
const usualVariables = [
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

/** The environment of a server's program: the usual variables, those it asks for, those configured. */
export function serverEnvironment(
  { env_vars = [], env = {} }: StdioServerConfig,
  ours: Readonly<NodeJS.ProcessEnv>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...usualVariables, ...env_vars]) {
    const value = ours[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...env };
}

/** The headers that the config gives each request, with a bearer token from the environment. */
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
    `Environment variable ${variable} for its bearer token is ${token === undefined ? "not set" : "empty"}`,
  );
}

/** The value may be a secret, so that a wrong one is named but not shown. */
function setChecked(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`The HTTP header \`${name}\` of its config cannot be sent`);
  }
}
