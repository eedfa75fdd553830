import { defineCommand } from "../command.js";
import { configOptions, toOverrides } from "../options/config-options.js";
import { listenOptions } from "../options/listen-options.js";
import { serveSurface } from "../serve-surface.js";
import { requireEnforceable } from "../user-config.js";

/** The engine as an MCP server. */
export const mcpServer = defineCommand({
  name: "mcp-server",
  summary: "Serve Codex as tools over MCP",
  options: { ...listenOptions, ...configOptions },
  details: [
    "The tools are `codex`, which starts a session, and `codex-reply`, which goes on with it. What",
    "happens in a session is told by notifications; approvals are asked for by elicitation.",
  ].join("\n"),
  async run({ values }, io) {
    await requireEnforceable({ ...io, flags: await toOverrides(values) });
    return serveSurface(values, io, async () => {
      const { serveMcp } = await import("../../server/mcp/serve.js");
      return serveMcp;
    });
  },
});
