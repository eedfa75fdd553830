import type { Check } from "../check.js";
import { startHttpServer } from "../http-server.js";
import type { Places } from "../scene.js";
import { type ToolCall, useTools } from "../use-tools.js";

const SERVERS = "2026.8.31";
const FILESYSTEM = "@modelcontextprotocol/server-filesystem";
const SDK = "@modelcontextprotocol/sdk";
const EVERYTHING = "@modelcontextprotocol/server-everything";

/** Published servers, reached by our client as a session of ours has it. */
export const mcpServers: readonly Check[] = [
  {
    name: "mcp-filesystem-stdio",
    short: true,
    async run(context) {
      const command = await context.packages.program(FILESYSTEM, SERVERS);
      const table = (places: Places) => stdioTable([...command, places.workspace]);
      const seen = await useTools({ server: "files", table, calls: fileCalls }, context);
      return `${FILESYSTEM} ${SERVERS} over stdio: ${seen}`;
    },
  },
  {
    name: "mcp-everything-stdio",
    short: false,
    async run(context) {
      const command = await context.packages.program(EVERYTHING, SERVERS);
      const table = () => stdioTable([...command, "stdio"]);
      const seen = await useTools({ server: "everything", table, calls: everyCalls }, context);
      return `${EVERYTHING} ${SERVERS} over stdio: ${seen}`;
    },
  },
  {
    name: "mcp-everything-http",
    short: false,
    async run(context) {
      const command = await context.packages.program(EVERYTHING, SERVERS);
      await using server = await startHttpServer(
        [...command, "streamableHttp"],
        "PORT",
        context.signal,
      );
      const table = () => `url = "http://127.0.0.1:${server.port}/mcp"`;
      const seen = await useTools({ server: "everything", table, calls: everyCalls }, context);
      return `${EVERYTHING} ${SERVERS} over HTTP: ${seen}`;
    },
  },
  {
    name: "mcp-everything-asks",
    short: false,
    async run(context) {
      const command = await context.packages.program(EVERYTHING, SERVERS);
      const table = () => stdioTable([...command, "stdio"]);
      const fillsIn = { name: "Grace Hopper", check: true };
      await useTools({ server: "everything", table, calls: askingCalls, fillsIn }, context);
      return `${EVERYTHING} ${SERVERS} asked the user, and the answer reached it and the model`;
    },
  },
  ...["1.13.0", "1.32.2"].map(sdkOverStdio),
  {
    name: "mcp-sdk-1.32.2-http",
    short: false,
    async run(context) {
      const file = "dist/esm/examples/server/simpleStreamableHttp.js";
      const command = await context.packages.program(SDK, "1.32.2", file);
      await using server = await startHttpServer(command, "MCP_PORT", context.signal);
      const table = () => `url = "http://127.0.0.1:${server.port}/mcp"`;
      const seen = await useTools({ server: "greeter", table, calls: greetCalls }, context);
      return `an example server of ${SDK} 1.32.2 over HTTP: ${seen}`;
    },
  },
];

const fileCalls: ToolCall[] = [
  {
    tool: "write_file",
    args: ({ workspace }) => ({ path: `${workspace}/log.txt`, content: "calm sea\n" }),
    gets: ["Successfully wrote"],
  },
  {
    tool: "read_text_file",
    args: ({ workspace }) => ({ path: `${workspace}/log.txt` }),
    gets: ["calm sea"],
  },
  {
    tool: "read_text_file",
    args: () => ({ path: "/etc/hostname" }),
    gets: ["Access denied"],
  },
];

const everyCalls: ToolCall[] = [
  { tool: "echo", args: () => ({ message: "ahoy" }), gets: ["Echo: ahoy"] },
  { tool: "get-sum", args: () => ({ a: 19, b: 23 }), gets: ["42"] },
  { tool: "get-sum", args: () => ({ a: "many", b: 23 }), gets: ["Invalid arguments"] },
  {
    tool: "get-structured-content",
    args: () => ({ location: "Chicago" }),
    gets: ["temperature", "humidity"],
  },
  { tool: "get-tiny-image", args: () => ({}), gets: ["image"] },
  {
    tool: "trigger-long-running-operation",
    args: () => ({ duration: 0.4, steps: 2 }),
    gets: ["Long running operation completed"],
  },
];

const askingCalls: ToolCall[] = [
  { tool: "trigger-elicitation-request", args: () => ({}), gets: ["Grace Hopper"] },
];

const greetCalls: ToolCall[] = [
  { tool: "greet", args: () => ({ name: "Ada" }), gets: ["Hello, Ada!"] },
  // It speaks in between, over the stream that its answer comes on.
  { tool: "multi-greet", args: () => ({ name: "Ada" }), gets: ["Good morning, Ada!"] },
];

const weatherCalls: ToolCall[] = [
  {
    tool: "get_weather",
    args: () => ({ city: "Oslo", country: "NO" }),
    gets: ["temperature", "conditions"],
  },
];

/** The SDK brings servers along, so that its old versions can be met as well. */
function sdkOverStdio(version: string): Check {
  return {
    name: `mcp-sdk-${version}-stdio`,
    short: false,
    async run(context) {
      const file = "dist/esm/examples/server/mcpServerOutputSchema.js";
      const table = stdioTable(await context.packages.program(SDK, version, file));
      const use = { server: "weather", table: () => table, calls: weatherCalls };
      return `an example server of ${SDK} ${version} over stdio: ${await useTools(use, context)}`;
    },
  };
}

function stdioTable([command, ...args]: string[]): string {
  return `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`;
}
