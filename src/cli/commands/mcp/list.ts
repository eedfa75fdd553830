import type { McpServer } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { type McpAuthStatus, mcpAuthStatus, userTokenStore } from "../../../mcp/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { configOptions } from "../../options/config-options.js";
import { columnLines } from "../../print/columns.js";
import { loadUserConfig } from "../../user-config.js";
import { hiddenValues, orDash, toJsonServer } from "./server-form.js";

/** The servers that are set up, by name. */
export const mcpList = defineCommand({
  name: "mcp list",
  summary: "List the servers that are set up",
  options: { json: { type: "boolean", help: "Write them as JSON" }, ...configOptions },
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
