import Type, { type Static } from "typebox";
import { absent, each } from "./ignored.js";
import { Count, setting, TextList, Texts } from "./setting.js";

const Seconds = Type.Number({ minimum: 0 });

// The order of keys is that of writing a file.
export const McpServerToml = Type.Object(
  {
    command: setting(Type.String(), { text: "Command to run.", project: true }),
    args: setting(TextList, {
      text: "Arguments of the command.",
      project: true,
    }),
    env_vars: setting(TextList, {
      text: "Environment variables that the command inherits.",
      since: "0.98",
    }),
    cwd: setting(Type.String(), {
      text: "Working directory of the command.",
      since: "0.98",
      project: true,
    }),
    url: setting(Type.String(), {
      text: "URL of a streamable HTTP server, instead of `command`.",
      since: "0.98",
      project: true,
    }),
    bearer_token_env_var: setting(Type.String(), {
      text: "Environment variable with the bearer token for `url`.",
      since: "0.98",
    }),
    bearer_token: setting(Type.String(), {
      text: "Not supported: use `bearer_token_env_var` to keep the token out of this file.",
      since: "0.98",
      project: true,
    }),
    enabled: setting(Type.Boolean(), {
      text: "Enables the server.",
      since: "0.98",
      default: true,
      project: true,
    }),
    required: setting(Type.Boolean(), {
      text: "Fails the session if the server does not start.",
      since: "0.104",
      default: false,
      project: true,
    }),
    startup_timeout_sec: setting(Seconds, {
      text: "Startup timeout in seconds. Default: 10.",
      since: "0.98",
      project: true,
    }),
    startup_timeout_ms: setting(Count(), {
      text: "Startup timeout in milliseconds; `startup_timeout_sec` overrides it.",
      project: true,
    }),
    tool_timeout_sec: setting(Seconds, {
      text: "Timeout of tool calls in seconds. Default: 60.",
      since: "0.98",
      project: true,
    }),
    enabled_tools: setting(TextList, {
      text: "Offers only these tools.",
      since: "0.98",
      project: true,
    }),
    disabled_tools: setting(TextList, {
      text: "Tools that are not offered to the model.",
      since: "0.98",
      project: true,
    }),
    scopes: setting(TextList, {
      text: "OAuth scopes to request at login.",
      since: "0.98",
      project: true,
    }),
    env: setting(Texts, {
      text: "Environment variables of the command.",
      project: true,
    }),
    http_headers: setting(Texts, {
      text: "Headers of requests to `url`.",
      since: "0.98",
      project: true,
    }),
    env_http_headers: setting(Texts, {
      text: "Headers of requests to `url` with values from environment variables.",
      since: "0.98",
    }),
    ...each(
      [
        "auth",
        "default_tools_approval_mode",
        "environment_id",
        "http_headers_helper",
        "name",
        "oauth",
        "oauth_resource",
        "omit_tools_from",
        "supports_parallel_tool_calls",
        "tools",
      ],
      absent,
    ),
  },
  { $id: "McpServerToml", description: "An MCP server." },
);
export interface McpServerToml extends Static<typeof McpServerToml> {}

/** MCP servers. */
export const mcpKeys = {
  mcp_servers: setting(Type.Record(Type.String(), McpServerToml), {
    text: "MCP servers by name (letters, digits, `-` and `_`). A project cannot change servers of the user.",
    project: true,
  }),
  mcp_oauth_credentials_store: setting(Type.Enum(["auto", "file", "keyring"]), {
    text: "Storage of MCP server logins.",
    since: "0.98",
    default: "auto",
  }),
  mcp_oauth_callback_port: setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    text: "Callback port of MCP server logins. Default: a free port.",
    since: "0.98",
  }),
};
