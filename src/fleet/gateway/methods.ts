import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/check.js";

/** Throws if a gateway does not offer a method: it needs the machine on which the threads run. */
export function assertOffered(method: string): void {
  const why = reasons.find(([names]) => names.test(method))?.[1];
  if (why === undefined) return;
  const message = `\`${method}\` is not available at the gateway of a fleet: ${why}`;
  throw new RpcError(rpcCodes.methodNotFound, message);
}

const machine =
  "it works with the files of one machine, and threads run on many. Use an app-server.";
const settings = "settings belong to the workers. Change the `config.toml` of the workers.";
const organization = "threads have no sections, projects or attachments here.";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(fs|fuzzyFileSearch|command|process|windowsSandbox)\b/, machine],
  [/^(execOneOffCommand|gitDiffToRemote|fuzzyFileSearch)$/, machine],
  [/^config\/(value\/write|batchWrite|mcpServer\/reload)$/, settings],
  [/^(setDefaultModel|saveUserConfig|skills\/config\/write|feedback\/upload)$/, settings],
  [/^(account\/(login|logout)|login|logout|cancelLogin)/, settings],
  [/^(mcpServer|mcpServerStatus|skills|hooks|plugin|app|marketplace)\//, settings],
  [/^(section|project|attachment)\//, organization],
  [/^thread\/(section|metadata|attachment|readState|project)\b/, organization],
  [/^(archiveConversation)$/, organization],
  [/^thread\/(timeline|search)\b/, "threads are not searched here."],
];

/** Returns the id of the thread that a request is about, in v2, v1 or MCP. */
export function threadIdOf(params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const id = params.threadId ?? params.conversationId ?? params.conversation_id;
  if (typeof id === "string") return id.toLowerCase();
  // A tool of MCP has it in its arguments.
  return isRecord(params.arguments) ? threadIdOf(params.arguments) : undefined;
}
