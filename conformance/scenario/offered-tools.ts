import { type NamedTool, qualifyNames } from "../../src/mcp/index.js";
import type { ToolSpec } from "../../src/protocol/types.js";
import { CannotRun } from "../suite.js";
import { bodyOf } from "./request-facts.js";
import { runScenario } from "./run.js";
import type { ScenarioConfig } from "./scenario.js";
import { eraOf } from "./settings.js";

/** Conditions that decide which tools a model is offered, as the suites write them. */
export interface ToolSettings {
  model?: string;
  approval_policy?: string;
  /** A mode, or a whole policy. */
  sandbox?: string | { mode: string };
  plan?: boolean;
  apply_patch?: boolean;
  web_search?: boolean;
  view_image?: boolean;
  unified_exec?: boolean;
  exec_command?: boolean;
  /** The same by the name that it had at first. */
  streamable_shell?: boolean;
  /** `server/tool`. */
  mcp_tools?: string[];
}

/** The tools that a model is offered in the first request of a conversation. */
export async function offeredTools(
  settings: ToolSettings,
  era: string,
  dir: string,
): Promise<ToolSpec[]> {
  const { requests } = await runScenario(
    {
      era,
      config: toConfig(settings),
      model_turns: [[{ completed: true }]],
      steps: [
        {
          op: { type: "user_input", items: [{ type: "text", text: "hi" }] },
          wait: "task_complete",
        },
      ],
    },
    dir,
  );
  return requests.flatMap((request) => (bodyOf(request).tools ?? []) as ToolSpec[]);
}

/** Name of a tool as the model sees it; MCP tools are listed as `server/tool`. */
export function offeredName(name: string, era: string): string {
  const [tool] = toNamed([name]);
  if (tool === undefined) return name;
  const [qualified] = qualifyNames([tool], eraOf(era).mcp.toolNames).keys();
  return qualified ?? name;
}

function toConfig(settings: ToolSettings): ScenarioConfig {
  const {
    model,
    approval_policy = "never",
    sandbox = "read-only",
    plan = false,
    apply_patch = false,
    web_search = false,
    view_image = false,
    unified_exec = false,
    streamable_shell = false,
    exec_command = streamable_shell,
    mcp_tools = [],
    ...others
  } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new CannotRun(`unknown setting ${unknown}`);
  return {
    ...(model === undefined ? {} : { model }),
    approval_policy,
    sandbox_mode: typeof sandbox === "string" ? sandbox : sandbox.mode,
    include_plan_tool: plan,
    include_apply_patch_tool: apply_patch,
    tools: { web_search, view_image },
    ...(unified_exec ? { experimental_use_unified_exec_tool: true } : {}),
    ...(exec_command ? { experimental_use_exec_command_tool: true } : {}),
    mcp_servers: toServers(toNamed(mcp_tools)),
  };
}

function toNamed(names: readonly string[]): NamedTool[] {
  return names.flatMap((name) => {
    const [server, tool] = name.split("/", 2);
    return server === undefined || tool === undefined ? [] : [{ server, tool }];
  });
}

function toServers(tools: readonly NamedTool[]): Record<string, object> {
  const servers = new Set(tools.map(({ server }) => server));
  const entries = [...servers].map((server) => {
    const names = tools.filter((tool) => tool.server === server).map(({ tool }) => tool);
    return [server, { command: process.execPath, args: ["-e", serverProgram, ...names] }];
  });
  return Object.fromEntries(entries);
}

/** A server that has the tools it is started with. */
const serverProgram = `
const inputSchema = { type: "object", properties: {} };
const tools = process.argv.slice(1).map((name) => ({ name, inputSchema }));
const protocolVersion = "2025-06-18";
const serverInfo = { name: "suite", version: "1" };
const answers = {
  initialize: { protocolVersion, serverInfo, capabilities: { tools: {} } },
  "tools/list": { tools },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: result ?? {} }));
});
`;
