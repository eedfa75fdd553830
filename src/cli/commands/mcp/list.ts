import type { McpServer } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { type McpAuthStatus, mcpAuthStatus, userTokenStore } from "../../../mcp/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { configOptions } from "../../options/config-options.js";
import { columnLines, visible } from "../../print.js";
import { loadUserConfig } from "../../user-config.js";
import { findServer, hiddenValues, orDash, toJsonServer } from "./server.js";

/** Lists the configured servers by name. */
export const mcpList = defineCommand({
  name: "mcp list",
  summary: "List configured MCP servers",
  options: { json: { type: "boolean", help: "Print the servers as JSON" }, ...configOptions },
  async run({ values }, io) {
    const config = await loadUserConfig(values, io);
    const store = userTokenStore(config.home);
    const servers = [...config.mcp_servers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const listed = await Promise.all(
      servers.map(async (server) => ({
        server,
        auth: await mcpAuthStatus({ server: server.name, config: server, store }),
      })),
    );
    if (values.json) {
      const all = listed.map(({ server, auth }) => ({
        ...toJsonServer(server),
        auth_status: jsonAuth[auth],
      }));
      io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    } else io.stdout.write(listText(listed));
    return exitCodes.ok;
  },
});

interface Listed {
  server: McpServer;
  auth: McpAuthStatus;
}

function listText(listed: readonly Listed[]): string {
  if (listed.length === 0) {
    return `No MCP servers configured yet. Try \`${programName()} mcp add my-tool -- my-command\`.\n`;
  }
  const programs = [["Name", "Command", "Args", "Env", "Cwd", "Status", "Auth"]];
  const addresses = [["Name", "Url", "Bearer Token Env Var", "Status", "Auth"]];
  for (const { server, auth } of listed) {
    const { name, transport, enabled } = server;
    const end = [enabled ? "enabled" : "disabled", shownAuth[auth]];
    if (transport.type === "stdio") {
      const { command, args, env, env_vars, cwd } = transport;
      const variables = hiddenValues([...Object.keys(env), ...env_vars]);
      programs.push([name, command, orDash(args.join(" ")), variables, orDash(cwd), ...end]);
    } else {
      addresses.push([name, transport.url, orDash(transport.bearer_token_env_var), ...end]);
    }
  }
  const tables = [programs, addresses].filter((rows) => rows.length > 1);
  return tables.map((rows) => `${columnLines(rows).join("\n")}\n`).join("\n");
}

const shownAuth: Record<McpAuthStatus, string> = {
  unsupported: "Unsupported",
  notLoggedIn: "Not logged in",
  bearerToken: "Bearer token",
  oAuth: "OAuth",
};

const jsonAuth: Record<McpAuthStatus, string> = {
  unsupported: "unsupported",
  notLoggedIn: "not_logged_in",
  bearerToken: "bearer_token",
  oAuth: "o_auth",
};

/** Shows the configuration of one server. */
export const mcpGet = defineCommand({
  name: "mcp get",
  summary: "Show a configured MCP server",
  operands: "NAME",
  mostOperands: 1,
  options: { json: { type: "boolean", help: "Print the server as JSON" }, ...configOptions },
  async run({ values, positionals }, io) {
    const server = findServer(await loadUserConfig(values, io), positionals[0]);
    const { enabled_tools = null, disabled_tools = null } = server;
    const { startup_timeout_sec, tool_timeout_sec, ...form } = toJsonServer(server);
    const json = { ...form, enabled_tools, disabled_tools, startup_timeout_sec, tool_timeout_sec };
    io.stdout.write(values.json ? `${JSON.stringify(json, null, 2)}\n` : serverText(server));
    return exitCodes.ok;
  },
});

function serverText(server: McpServer): string {
  const { name, transport, enabled } = server;
  const rows: [string, string][] = [
    ["enabled", String(enabled)],
    ["transport", transport.type],
  ];
  if (transport.type === "stdio") {
    const { command, args, cwd, env, env_vars } = transport;
    rows.push(["command", command], ["args", orDash(args.join(" "))], ["cwd", orDash(cwd)]);
    rows.push(["env", hiddenValues([...Object.keys(env), ...env_vars])]);
  } else {
    const { url, bearer_token_env_var, http_headers, env_http_headers } = transport;
    rows.push(["url", url], ["bearer_token_env_var", orDash(bearer_token_env_var)]);
    rows.push(["http_headers", hiddenValues(Object.keys(http_headers))]);
    const named = Object.entries(env_http_headers).map((pair) => pair.join("="));
    rows.push(["env_http_headers", orDash(named.join(", "))]);
  }
  for (const [key, ms] of [
    ["startup_timeout_sec", server.startup_timeout_ms],
    ["tool_timeout_sec", server.tool_timeout_ms],
  ] as const) {
    if (ms !== undefined) rows.push([key, String(ms / 1000)]);
  }
  for (const key of ["enabled_tools", "disabled_tools"] as const) {
    if (server[key] !== undefined) rows.push([key, orDash(server[key].join(", "))]);
  }
  rows.push(["remove", `${programName()} mcp remove ${name}`]);
  return `${visible(name)}\n${rows.map(([key, value]) => `  ${key}: ${visible(value)}\n`).join("")}`;
}
