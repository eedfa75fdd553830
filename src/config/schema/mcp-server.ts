import Type, { type Static } from "typebox";
import { absent, each } from "./ignored.js";
import { Count, setting, TextList, Texts } from "./setting.js";

const Seconds = Type.Number({ minimum: 0 });

// Keys are in the order in which they are written to a file.
export const McpServerToml = Type.Object(
  {
    command: setting(Type.String(), { text: "The program to start.", project: true }),
    args: setting(TextList, {
      text: "What the program is given; only with `command`.",
      project: true,
    }),
    env_vars: setting(TextList, {
      text: "Environment variables that the program is given from ours; only with `command`.",
      since: "0.98",
    }),
    cwd: setting(Type.String(), {
      text: "Where the program is started; only with `command`.",
      since: "0.98",
      project: true,
    }),
    url: setting(Type.String(), {
      text: "Where the server is reached over HTTP, instead of `command`.",
      since: "0.98",
      project: true,
    }),
    bearer_token_env_var: setting(Type.String(), {
      text: "The environment variable with the token; only with `url`.",
      since: "0.98",
    }),
    bearer_token: setting(Type.String(), {
      text: "Not supported, for a token does not belong in this file: use `bearer_token_env_var`.",
      since: "0.98",
      project: true,
    }),
    enabled: setting(Type.Boolean(), {
      text: "Whether the server is used.",
      since: "0.98",
      default: true,
      project: true,
    }),
    required: setting(Type.Boolean(), {
      text: "Whether a session fails when the server does not start.",
      since: "0.104",
      default: false,
      project: true,
    }),
    startup_timeout_sec: setting(Seconds, {
      text: "How long its start may take, in seconds; 10 when absent.",
      since: "0.98",
      project: true,
    }),
    startup_timeout_ms: setting(Count(), {
      text: "The same in milliseconds; `startup_timeout_sec` comes before it.",
      project: true,
    }),
    tool_timeout_sec: setting(Seconds, {
      text: "How long a call of one of its tools may take, in seconds; 60 when absent.",
      since: "0.98",
      project: true,
    }),
    enabled_tools: setting(TextList, {
      text: "The only tools that are offered.",
      since: "0.98",
      project: true,
    }),
    disabled_tools: setting(TextList, {
      text: "Tools that are not offered.",
      since: "0.98",
      project: true,
    }),
    scopes: setting(TextList, {
      text: "What is asked for when the user logs in to the server.",
      since: "0.98",
      project: true,
    }),
    env: setting(Texts, {
      text: "Environment variables of the program; only with `command`.",
      project: true,
    }),
    http_headers: setting(Texts, {
      text: "Headers of each request; only with `url`.",
      since: "0.98",
      project: true,
    }),
    env_http_headers: setting(Texts, {
      text: "Headers whose value stands in an environment variable; only with `url`.",
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
  { $id: "McpServerToml", description: "A server whose tools the model may use." },
);
export interface McpServerToml extends Static<typeof McpServerToml> {}

/** Servers with tools for the model. */
export const mcpKeys = {
  mcp_servers: setting(Type.Record(Type.String(), McpServerToml), {
    text: "MCP servers by name: letters, digits, `-` and `_`. A project's cannot change one of the user's.",
    project: true,
  }),
  mcp_oauth_credentials_store: setting(Type.Enum(["auto", "file", "keyring"]), {
    text: "Where logins to MCP servers are kept.",
    since: "0.98",
    default: "auto",
  }),
  mcp_oauth_callback_port: setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    text: "The port that a login to an MCP server comes back to; any free one when absent.",
    since: "0.98",
  }),
};
