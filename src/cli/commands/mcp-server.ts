import { type CommandIo, defineCommand } from "../command.js";
import { requireEra } from "../era.js";

const summary = "Serve Codex as tools over MCP";

const listen = {
  type: "string",
  value: "URL",
  default: "stdio://",
  help: "Where: stdio://, unix://PATH, tcp://HOST:PORT, ws://, h2:// or grpc://HOST:PORT",
} as const;

const details = [
  "The tools are `codex`, which starts a session, and `codex-reply`, which goes on with it. What",
  "happens in a session is told by notifications; approvals are asked for by elicitation.",
].join("\n");

/** The engine as an MCP server. */
export const mcpServer = defineCommand({
  name: "mcp-server",
  summary,
  options: { listen },
  details,
  run: ({ values }, io) => serve(values.listen, io),
});

async function serve(url: string, io: CommandIo): Promise<number> {
  const era = requireEra(io.env);
  const [{ serveListener }, { serveMcp }] = await Promise.all([
    import("../../server/listener.js"),
    import("../../server/mcp/serve.js"),
  ]);
  await serveListener({ ...io, era, url, serve: serveMcp });
  return 0;
}
