import { withProgramName } from "../../lib/program-name.js";
import { type Command, defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { commandText } from "../help.js";
import { requireEra } from "../identity.js";
import { mcpServer } from "./mcp-server.js";

/** Manages MCP servers. In eras up to 0.45, `mcp` without a verb runs as an MCP server. */
export const mcp: Command = defineCommand({
  name: "mcp",
  summary: "Manage MCP servers",
  verbs: [
    {
      name: "list",
      summary: "List configured MCP servers",
      load: async () => (await import("./mcp/list.js")).mcpList,
    },
    {
      name: "get",
      summary: "Show a configured MCP server",
      load: async () => (await import("./mcp/list.js")).mcpGet,
    },
    {
      name: "add",
      summary: "Add an MCP server: a command or a URL",
      load: async () => (await import("./mcp/add.js")).mcpAdd,
    },
    {
      name: "remove",
      summary: "Remove an MCP server",
      load: async () => (await import("./mcp/add.js")).mcpRemove,
    },
    {
      name: "login",
      summary: "Log in to an MCP server with OAuth",
      load: async () => (await import("./mcp/login.js")).mcpLogin,
    },
    {
      name: "logout",
      summary: "Log out of an MCP server",
      load: async () => (await import("./mcp/login.js")).mcpLogout,
    },
  ],
  options: mcpServer.options,
  details:
    "Use `quire mcp-server` to run as an MCP server. With --era 0.45 or older, `quire mcp` does too.",
  async run(input, io) {
    const bareCommandServes = !requireEra(io.env).since["0.104"];
    // At a terminal the user wants help: MCP messages are not typed by hand.
    const isTyped = io.stdin.isTTY && input.values.listen === "stdio://";
    if (bareCommandServes && !isTyped) return mcpServer.run(input, io);
    io.stderr.write(withProgramName(commandText(mcp)));
    return exitCodes.usage;
  },
});
