import { openBrowser } from "../../../auth/index.js";
import { loginMcpServer, logoutMcpServer, userTokenStore } from "../../../mcp/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { configOptions } from "../../options/config-options.js";
import { loadUserConfig } from "../../user-config.js";
import { findServer } from "./server.js";

/** Logs in to a server with OAuth in the browser. */
export const mcpLogin = defineCommand({
  name: "mcp login",
  summary: "Log in to an MCP server with OAuth",
  operands: "NAME",
  mostOperands: 1,
  options: {
    scopes: { type: "string", value: "LIST", help: "OAuth scopes to request, separated by commas" },
    ...configOptions,
  },
  async run({ values, positionals }, io) {
    const config = await loadUserConfig(values, io);
    const server = findServer(config, positionals[0]);
    const scopes = values.scopes?.split(",").filter((scope) => scope !== "") ?? server.scopes;
    await loginMcpServer({
      server: server.name,
      config: { ...server, scopes },
      store: userTokenStore(config.home),
      env: io.env,
      signal: io.signal,
      ...(config.mcp_oauth_callback_port === undefined
        ? {}
        : { callbackPort: config.mcp_oauth_callback_port }),
      async showUrl(url) {
        io.stderr.write(`Authorize in the browser. If none opens, go to\n\n${url}\n\n`);
        await openBrowser(url, { platform: process.platform, env: io.env });
      },
    });
    io.stdout.write(`Successfully logged in to MCP server '${server.name}'.\n`);
    return exitCodes.ok;
  },
});

/** Deletes the stored login to a server. */
export const mcpLogout = defineCommand({
  name: "mcp logout",
  summary: "Log out of an MCP server",
  operands: "NAME",
  mostOperands: 1,
  options: configOptions,
  async run({ values, positionals }, io) {
    const config = await loadUserConfig(values, io);
    const server = findServer(config, positionals[0]);
    const store = userTokenStore(config.home);
    const was = await logoutMcpServer({ server: server.name, config: server, store });
    io.stdout.write(
      was
        ? `Removed the login to MCP server '${server.name}'.\n`
        : `Not logged in to MCP server '${server.name}'.\n`,
    );
    return exitCodes.ok;
  },
});
