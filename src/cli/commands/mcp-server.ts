import { defineCommand } from "../command.js";
import { configOptions, toOverrides } from "../options/config-options.js";
import { listenOptions } from "../options/listen-options.js";
import { serveSurface } from "../serve-surface.js";
import { requireEnforceable } from "../user-config.js";

/** Runs the engine as an MCP server. */
export const mcpServer = defineCommand({
  name: "mcp-server",
  summary: "Run as an MCP server",
  options: { ...listenOptions, ...configOptions },
  details: [
    "Offers the tools `codex`, which starts a session, and `codex-reply`, which continues it. Events",
    "of a session are sent as notifications; approvals are requested by elicitation.",
  ].join("\n"),
  async run({ values }, io) {
    await requireEnforceable({ ...io, flags: await toOverrides(values) });
    return serveSurface(values, io, async () => {
      const { serveMcp } = await import("../../server/mcp/serve.js");
      return serveMcp;
    });
  },
});
