import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Check, CheckContext } from "../check.js";
import { clientRoutes } from "../client-routes.js";
import { expectIn, expectSame } from "../expect.js";
import { openScene } from "../scene.js";
import { linkSubject } from "../subject.js";

const INSPECTOR = "@modelcontextprotocol/inspector";
// The last line that runs on Node 20.
const VERSION = "1.0.3";

/** The command line of MCP's own inspector, with our MCP server. */
export const mcpInspector: readonly Check[] = [
  { name: "mcp-inspector", short: false, run: (context) => inspect(context) },
];

async function inspect(context: CheckContext): Promise<string> {
  const cli = await context.packages.program(INSPECTOR, VERSION, "cli/build/cli.js");
  const plan = { script: { routes: clientRoutes }, model: "gpt-5.5" };
  await using scene = await openScene(() => plan, context);
  // The reference has no MCP server any more.
  const codex = await linkSubject(scene, context, "0.104.0");
  const [file = "", ...before] = [...cli, "--cli", codex, "mcp-server"];
  const { workspace: cwd, env } = scene;
  // Each request is a separate run, which prints the answer as JSON.
  const ask = async (...args: string[]): Promise<unknown> => {
    const options = { cwd, env, signal: context.signal, timeout: 60_000 };
    const { stdout } = await promisify(execFile)(file, [...before, ...args], options);
    return JSON.parse(stdout);
  };

  const { tools } = (await ask("--method", "tools/list")) as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name).filter((name) => name.startsWith("codex"));
  expectSame("the tools", names.sort(), ["codex", "codex-reply"]);
  const call = ["--method", "tools/call", "--tool-name", "codex"];
  const result = await ask(...call, "--tool-arg", "prompt=Say hello.");
  expectIn("what the tool gave", JSON.stringify(result), "Hello.");
  return `${INSPECTOR} ${VERSION}: tools/list, tools/call`;
}
