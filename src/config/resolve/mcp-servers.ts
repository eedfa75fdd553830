import type { PermissionRules } from "../../protocol/permission-rules.js";
import type { McpServerToml } from "../schema/mcp-server.js";

/** Transport of an MCP server. */
export type McpTransport =
  | {
      type: "stdio";
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      /** Inherited environment variables. */
      env_vars: readonly string[];
      cwd: string | undefined;
      /** Files that permission rules deny to it, for this workspace. */
      confinement?: { rules: PermissionRules; cwd: string };
    }
  | {
      type: "streamable_http";
      url: string;
      bearer_token_env_var: string | undefined;
      http_headers: Readonly<Record<string, string>>;
      env_http_headers: Readonly<Record<string, string>>;
    };

/** An MCP server of the user or of a trusted project. */
export interface McpServer {
  name: string;
  transport: McpTransport;
  enabled: boolean;
  /** True if a session fails without it. */
  required: boolean;
  startup_timeout_ms: number | undefined;
  tool_timeout_ms: number | undefined;
  enabled_tools: readonly string[] | undefined;
  disabled_tools: readonly string[] | undefined;
  scopes: readonly string[] | undefined;
  /** True if a project configures it, so that its command may change after the user trusted the project. */
  fromProject: boolean;
}

/** Resolves a server; returns an error message if it is invalid. */
export function toMcpServer(
  name: string,
  toml: McpServerToml,
  fromProject: boolean,
): McpServer | string {
  const transport = toTransport(toml);
  if (typeof transport === "string") return transport;
  return {
    name,
    transport,
    enabled: toml.enabled ?? true,
    required: toml.required ?? false,
    startup_timeout_ms: toMs(toml.startup_timeout_sec) ?? toml.startup_timeout_ms,
    tool_timeout_ms: toMs(toml.tool_timeout_sec),
    enabled_tools: toml.enabled_tools,
    disabled_tools: toml.disabled_tools,
    scopes: toml.scopes,
    fromProject,
  };
}

function toTransport(toml: McpServerToml): McpTransport | string {
  const { command, url } = toml;
  const type = command === undefined ? "streamable_http" : "stdio";
  const foreign = foreignKeys[type].find((key) => toml[key] !== undefined);
  if (command !== undefined && foreign === undefined) {
    const { args = [], env = {}, env_vars = [], cwd } = toml;
    return { type: "stdio", command, args, env, env_vars, cwd };
  }
  if (command === undefined && url === undefined) return "it needs a `command` or a `url`";
  if (foreign === "bearer_token") {
    return `bearer_token is not supported for ${type}; set bearer_token_env_var to the name of a variable`;
  }
  if (foreign !== undefined) return `${foreign} is not supported for ${type}`;
  const { bearer_token_env_var, http_headers = {}, env_http_headers = {} } = toml;
  return {
    type: "streamable_http",
    url: url ?? "",
    bearer_token_env_var,
    http_headers,
    env_http_headers,
  };
}

const foreignKeys = {
  stdio: ["url", "bearer_token_env_var", "bearer_token", "http_headers", "env_http_headers"],
  streamable_http: ["args", "env", "env_vars", "cwd", "bearer_token"],
} as const;

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
