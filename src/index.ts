import { codexApiKey } from "./auth/given-key.js";
import {
  type AppServerClient,
  CodexClient,
  type ConfigObject,
  connectAppServer,
  type ServerRequestHandlers,
  type ThreadOptions,
} from "./client/index.js";
import type { EraName } from "./protocol/era.js";
import type { ConnectOptions } from "./transport/index.js";

export {
  type AgentMessageItem,
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  type CommandExecutionItem,
  type ConfigObject,
  type ConfigValue,
  type ErrorItem,
  type FileChangeItem,
  type Input,
  type McpToolCallItem,
  type OwnTool,
  type OwnToolContext,
  type OwnToolOutput,
  type ReasoningItem,
  type RunResult,
  type RunStreamedResult,
  Thread,
  type ThreadEvent,
  type ThreadItem,
  type ThreadOptions,
  type TodoListItem,
  type ToolCallItem,
  type TurnOptions,
  type Usage,
  type UserInput,
  type WebSearchItem,
} from "./client/index.js";
export type { EraName } from "./protocol/era.js";
export { CodexError, type CodexErrorOptions, type ErrorCode } from "./protocol/error.js";

/** Where the engine runs, and how its threads work unless they say otherwise. */
export interface CodexOptions extends ThreadOptions {
  /** A server to work with, such as `unix:///run/quire.sock`; without it the engine runs here. */
  url?: string;
  /** What that server asks for, or a file of mode 0600 that holds it. */
  token?: ConnectOptions["token"];
  tls?: ConnectOptions["tls"];
  /** The environment of an engine that runs here; that of the process, when absent. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The key for the model's server, for an engine that runs here. */
  apiKey?: string;
  /** Where that server is. */
  baseUrl?: string;
  /** The version of Codex to behave like; `current` is the default. */
  era?: EraName;
  config?: ConfigObject;
}

/** The agent as a library: threads of an engine in this process, or of a server elsewhere. */
export class Codex extends CodexClient {
  constructor(options: CodexOptions = {}) {
    const { url, token, tls, env, apiKey, baseUrl, era, ...threads } = options;
    const config = {
      ...(baseUrl === undefined ? {} : { openai_base_url: baseUrl }),
      ...threads.config,
    };
    super((handlers, signal) => connect(options, handlers, signal), { ...threads, config });
  }
}

async function connect(
  options: CodexOptions,
  handlers: ServerRequestHandlers,
  signal: AbortSignal,
): Promise<AppServerClient> {
  const { url, token, tls } = options;
  const clientInfo = { name: "quire-agent", title: "quire-agent", version: "library" };
  if (url === undefined)
    return connectAppServer(await startHere(options), { clientInfo, handlers, signal });
  return connectAppServer(url, {
    clientInfo,
    handlers,
    signal,
    ...(token === undefined ? {} : { token }),
    ...(tls === undefined ? {} : { tls }),
  });
}

async function startHere({ env = process.env, apiKey, era, workingDirectory }: CodexOptions) {
  const { startInProcessAppServer } = await import("./server/in-process.js");
  const cwd = workingDirectory ?? process.cwd();
  return startInProcessAppServer({ env, cwd, era, apiKey: apiKey ?? codexApiKey(env) });
}
