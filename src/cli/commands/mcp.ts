import { withProgramName } from "../../lib/program-name.js";
import { type Command, defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { commandText } from "../help.js";
import { requireEra } from "../identity.js";
import { mcpServer } from "./mcp-server.js";

/** The MCP servers that the model may use; without a verb it was one itself in 2025. */
export const mcp: Command = defineCommand({
  name: "mcp",
  summary: "Set up the MCP servers that the model may use",
  verbs: [
    {
      name: "list",
      summary: "List the servers that are set up",
      load: async () => (await import("./mcp/list.js")).mcpList,
    },
    {
      name: "get",
      summary: "Show one server",
      load: async () => (await import("./mcp/list.js")).mcpGet,
    },
    {
      name: "add",
      summary: "Set up a server: a command, or a URL",
      load: async () => (await import("./mcp/add.js")).mcpAdd,
    },
    {
      name: "remove",
      summary: "Take a server away",
      load: async () => (await import("./mcp/add.js")).mcpRemove,
    },
    {
      name: "login",
      summary: "Log in to a server with OAuth",
      load: async () => (await import("./mcp/login.js")).mcpLogin,
    },
    {
      name: "logout",
      summary: "Forget the login to a server",
      load: async () => (await import("./mcp/login.js")).mcpLogout,
    },
  ],
  options: mcpServer.options,
  details: "`quire mcp-server` is the MCP server; with --era 0.45 or older `quire mcp` is it too.",
  async run(input, io) {
    const { bareCommandServes } = requireEra(io.env).mcp;
    // Nobody types MCP: a person who is here wants to know the verbs.
    const isTyped = io.stdin.isTTY && input.values.listen === "stdio://";
    if (bareCommandServes && !isTyped) return mcpServer.run(input, io);
    io.stderr.write(withProgramName(commandText(mcp)));
    return exitCodes.usage;
  },
});
