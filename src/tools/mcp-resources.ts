import { type OutputLimit, truncateText } from "../exec/index.js";
import { errorText } from "../lib/errors.js";
import type { McpServers, ResourceKind } from "../mcp/index.js";
import type { CallToolResult, McpInvocation } from "../protocol/types.js";
import { toDuration } from "../protocol/write.js";
import { defineTool } from "./define-tool.js";
import { type ArgumentsOf, type ObjectSchema, parameters } from "./parameters.js";
import { failed, ok, type Tool, type ToolContext } from "./tool.js";

/** Tools to list and read the resources of a session's MCP servers. */
export function mcpResourceTools(servers: McpServers, limit: OutputLimit): Tool[] {
  return [
    resourceTool(limit, {
      name: "list_mcp_resources",
      description:
        "Lists what MCP servers have to read, such as files, database schemas or pages: of one " +
        "server, or of all of them.",
      input: listParameters,
      ask: (args, signal) => list(servers, "resources", args, signal),
    }),
    resourceTool(limit, {
      name: "list_mcp_resource_templates",
      description:
        "Lists the templates of addresses that MCP servers can read when their blanks are filled " +
        "in: of one server, or of all of them.",
      input: listParameters,
      ask: (args, signal) => list(servers, "resourceTemplates", args, signal),
    }),
    resourceTool(limit, {
      name: "read_mcp_resource",
      description: "Reads something that an MCP server has to read.",
      input: readParameters,
      ask: (args, signal) => read(servers, args, signal),
    }),
  ];
}

const listParameters = parameters(
  {
    cursor: { type: "string", description: "Cursor from the previous page of this server." },
    server: { type: "string", description: "MCP server to list; all servers if omitted." },
  },
  [],
);

const readParameters = parameters(
  {
    server: { type: "string", description: "The MCP server that has it, as it was listed." },
    uri: { type: "string", description: "The address of the resource, as it was listed." },
  },
  ["server", "uri"],
);

interface ResourceTool<Schema extends ObjectSchema> {
  name: string;
  description: string;
  input: Schema;
  /** Throws an error with a message for the model. */
  ask(input: ArgumentsOf<Schema> & { server?: string }, signal: AbortSignal): Promise<unknown>;
}

function resourceTool<const Schema extends ObjectSchema>(
  limit: OutputLimit,
  { name, description, input, ask }: ResourceTool<Schema>,
): Tool {
  const tool = defineTool({
    name,
    description,
    input,
    async run(args, context) {
      const given: ArgumentsOf<Schema> & { server?: string } = args;
      const server = given.server?.trim() || "codex";
      const invocation: McpInvocation = { server, tool: name, arguments: given };
      const answer = await reportCall(invocation, context, () => ask(given, context.signal));
      const shown = truncateText(answer.text, limit);
      return answer.success ? ok(shown) : failed(shown);
    },
  });
  return {
    spec: { type: "function", name, description, strict: false, parameters: offered(input) },
    run: ({ text }, context) => tool.run({ text: text.trim() === "" ? "{}" : text }, context),
  };
}

/** A list of no required parameters is left out, as models know these tools. */
function offered({ required, ...schema }: ObjectSchema) {
  const { type, properties, additionalProperties } = schema;
  return required.length === 0
    ? { type, properties, additionalProperties }
    : { type, properties, required, additionalProperties };
}

/** Clients see these calls as calls of the server's own tools. */
async function reportCall(
  invocation: McpInvocation,
  { callId, emit, settled, signal }: ToolContext,
  ask: () => Promise<unknown>,
): Promise<{ text: string; success: boolean }> {
  emit({ type: "mcp_tool_call_begin", call_id: callId, invocation });
  if (settled !== undefined) await settled();
  const began = performance.now();
  const answer = await ask().then(
    (value) => ({ text: JSON.stringify(value), success: true }),
    (error: unknown) => {
      signal.throwIfAborted();
      return { text: errorText(error), success: false };
    },
  );
  emit({
    type: "mcp_tool_call_end",
    call_id: callId,
    invocation,
    duration: toDuration(performance.now() - began),
    result: answer.success ? toResult(answer.text) : answer.text,
  });
  return answer;
}

function toResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: false };
}

async function list(
  servers: McpServers,
  kind: ResourceKind,
  args: { server?: string; cursor?: string },
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const server = args.server?.trim();
  const cursor = args.cursor?.trim();
  if (!server) {
    if (cursor) throw new Error("cursor can only be used when a server is specified");
    const all = await servers.listAllResources(kind, signal);
    return { [kind]: [...all].flatMap(([name, entries]) => withServer(name, entries)) };
  }
  const options = { server, signal, ...(cursor ? { cursor } : {}) };
  const { entries, nextCursor } = await servers.listResources(kind, options);
  return {
    server,
    [kind]: withServer(server, entries),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

/** Adds the server to each entry; entries that are not objects are dropped. */
function withServer(server: string, entries: readonly unknown[]): unknown[] {
  return entries
    .filter((entry) => typeof entry === "object" && entry !== null)
    .map((entry) => ({ server, ...entry }));
}

async function read(
  servers: McpServers,
  args: { server: string; uri: string },
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const server = args.server.trim();
  const uri = args.uri.trim();
  if (server === "") throw new Error("server must be provided");
  if (uri === "") throw new Error("uri must be provided");
  return { server, uri, ...(await servers.readResource({ server, uri, signal })) };
}
