import { spawn } from "node:child_process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** Creates a well-behaved MCP server with one tool per feature. */
export function createTestServer(): Server {
  const capabilities = { tools: { listChanged: true }, resources: {} };
  const server = new Server(
    { name: "test", version: "1.0.0" },
    { capabilities, instructions: "Tools to test with." },
  );
  const extra: string[] = [];
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...Object.keys(tools), ...extra].map((name) => ({
      name,
      description: `Does ${name}`,
      inputSchema: { type: "object" as const, properties: { value: { type: "integer" } } },
    })),
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, sendNotification }) => {
      const run = tools[params.name];
      if (run === undefined) throw new McpError(ErrorCode.InvalidParams, "no such tool");
      const progressToken = params._meta?.progressToken;
      return run(params.arguments ?? {}, {
        server,
        signal,
        async progress(progress, message) {
          if (progressToken === undefined) return;
          const values = { progressToken, progress, total: 2, message };
          await sendNotification({ method: "notifications/progress", params: values });
        },
        async addTool(name) {
          extra.push(name);
          await server.sendToolListChanged();
        },
      });
    },
  );
  addResources(server);
  return server;
}

interface ToolParts {
  server: Server;
  signal: AbortSignal;
  progress(progress: number, message: string): Promise<void>;
  addTool(name: string): Promise<void>;
}

type TestTool = (
  args: Record<string, unknown>,
  parts: ToolParts,
) => CallToolResult | Promise<CallToolResult>;

let cancelled = 0;

const tools: Record<string, TestTool> = {
  echo: ({ text }) => ({
    content: [{ type: "text", text: `echo: ${text}` }],
    structuredContent: { said: text },
  }),
  plain: ({ text }) => textResult(String(text)),
  fail: () => ({ ...textResult("it broke"), isError: true }),
  boom: () => {
    throw new McpError(ErrorCode.InvalidParams, "boom");
  },
  image: () => ({
    content: [
      { type: "text", text: "a picture" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ],
  }),
  big: ({ bytes }) => textResult("x".repeat(Number(bytes))),
  hang: (_args, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        cancelled++;
        reject(new Error("cancelled"));
      });
    }),
  cancelled: () => textResult(String(cancelled)),
  progress: async (_args, { progress }) => {
    await progress(1, "half");
    await progress(2, "done");
    return textResult("progressed");
  },
  ask: async ({ waitMs }, { server }) => {
    const question = {
      message: "What is your name?",
      requestedSchema: {
        type: "object" as const,
        properties: { name: { type: "string" as const } },
      },
    };
    if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, Number(waitMs)));
    return textResult(JSON.stringify(await server.elicitInput(question)));
  },
  pid: () => textResult(String(process.pid)),
  environment: () => textResult(JSON.stringify(process.env)),
  cwd: () => textResult(process.cwd()),
  die: () => {
    process.stderr.write("out of luck\n");
    process.exit(7);
  },
  // One process stays in the process group of the server, one leaves it.
  spawn: () => {
    const children = [false, true].map((detached) =>
      spawn("sleep", ["600"], { detached, stdio: "ignore" }),
    );
    return textResult(JSON.stringify(children.map(({ pid }) => pid)));
  },
  grow: async (_args, { addTool }) => {
    await addTool("grown");
    return textResult("grown");
  },
};

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function addResources(server: Server): void {
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    params?.cursor === "2"
      ? { resources: [{ uri: "memo:two", name: "two" }] }
      : { resources: [{ uri: "memo:one", name: "one" }], nextCursor: "2" },
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "memo:{name}", name: "memo" }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    if (!params.uri.startsWith("memo:")) {
      throw new McpError(ErrorCode.InvalidParams, `no resource ${params.uri}`);
    }
    return { contents: [{ uri: params.uri, text: `the memo ${params.uri.slice(5)}` }] };
  });
}
