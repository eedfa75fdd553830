import type { McpServer } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { configOptions } from "../../options/config-options.js";
import { visible } from "../../print/visible.js";
import { loadUserConfig } from "../../user-config.js";
import { findServer } from "./find-server.js";
import { hiddenValues, orDash, toJsonServer } from "./server-form.js";

/** One server, as it is set up. */
export const mcpGet = defineCommand({
  name: "mcp get",
  summary: "Show one server",
  operands: "NAME",
  mostOperands: 1,
  options: { json: { type: "boolean", help: "Write it as JSON" }, ...configOptions },
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
