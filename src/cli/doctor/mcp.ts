import type { Era } from "../../compat/index.js";
import { type Config, type Environment, startableServers } from "../../config/index.js";
import { createLocalSandbox, createMcpPool } from "../../engine/local/index.js";
import { startMcpServers } from "../../mcp/index.js";
import { type Check, failed, ok, warning } from "./check.js";

/** Starts each MCP server as a session would, and reports the outcome. */
export async function checkMcpServers(
  config: Config,
  { env, cwd, era }: { env: Environment; cwd: string; era: Era },
): Promise<Check[]> {
  const { servers, warnings } = await startableServers(config);
  const held = warnings.map((text) => ({
    name: "MCP",
    ...warning(text, "Trust the project if you know its servers"),
  }));
  const enabled = new Map([...servers].filter(([, server]) => server.enabled));
  if (enabled.size === 0) return [...held, { name: "MCP", ...ok("no servers configured") }];
  const sandbox = createLocalSandbox(env);
  const pool = createMcpPool({ env, cwd, era, home: config.home, sandbox });
  const running = startMcpServers({ pool, configs: enabled, era });
  try {
    const { ready, failed: broken } = await running.started;
    return [
      ...held,
      ...ready.map((name) => ({ name: `MCP ${name}`, ...ok("starts and responds") })),
      ...broken.map(({ server, error }) => ({
        name: `MCP ${server}`,
        ...failed(error, `See \`quire mcp get ${server}\`; \`quire mcp remove ${server}\``),
      })),
    ];
  } finally {
    await running.close();
    await pool.close();
    sandbox.close();
  }
}
