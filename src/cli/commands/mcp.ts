import { type Command, defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { commandText } from "../help.js";
import { mcpServer } from "./mcp-server.js";

/** The MCP servers that the model may use; without a verb it is one itself, as it was first. */
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
      load: async () => (await import("./mcp/get.js")).mcpGet,
    },
    {
      name: "add",
      summary: "Set up a server: a command, or a URL",
      load: async () => (await import("./mcp/add.js")).mcpAdd,
    },
    {
      name: "remove",
      summary: "Take a server away",
      load: async () => (await import("./mcp/remove.js")).mcpRemove,
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
  details:
    "Without a verb it serves MCP as `quire mcp-server` does, which older versions did here.",
  async run(input, io) {
    // Nobody types MCP: a person who is here wants to know the verbs.
    if (io.stdin.isTTY && input.values.listen === "stdio://") {
      io.stdout.write(commandText(mcp));
      return exitCodes.usage;
    }
    return mcpServer.run(input, io);
  },
});
