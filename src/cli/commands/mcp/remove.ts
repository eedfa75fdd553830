import { codexHome, removeMcpServer } from "../../../config/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { visible } from "../../print/visible.js";
import { UsageError } from "../../usage-error.js";

/** Takes a server out of the user's own file. */
export const mcpRemove = defineCommand({
  name: "mcp remove",
  summary: "Take a server away",
  operands: "NAME",
  mostOperands: 1,
  options: {},
  async run({ positionals: [name] }, io) {
    if (name === undefined) throw new UsageError("Name a server; `quire mcp list` has them all");
    const wasThere = await removeMcpServer(codexHome(io.env), name);
    const shown = `MCP server named '${visible(name)}'`;
    io.stdout.write(
      wasThere ? `Removed global MCP server '${visible(name)}'.\n` : `No ${shown} found.\n`,
    );
    return exitCodes.ok;
  },
});
