import { codexApiKey } from "./auth/index.js";
import {
  type AppServerClient,
  CodexClient,
  type ConfigObject,
  connectAppServer,
  type ServerRequestHandlers,
  type ThreadOptions,
} from "./client/index.js";
import type { EraName } from "./compat/index.js";
import type { ProgramHooks } from "./hooks/index.js";
import { CodexError } from "./protocol/error.js";
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
export type { EraName } from "./compat/index.js";
export type {
  BlockingAnswer,
  CompactInput,
  ContextAnswer,
  HookOf,
  HookWithOptions,
  MessageAnswer,
  PermissionRequestAnswer,
  PermissionRequestInput,
  PostModelRequestInput,
  PostToolUseAnswer,
  PostToolUseInput,
  PreCompactAnswer,
  PreToolUseAnswer,
  PreToolUseInput,
  ProgramHooks,
  SessionEndInput,
  SessionStartInput,
  StopAnswer,
  StopInput,
  SubagentInput,
  TurnEventInput,
  UserPromptSubmitInput,
} from "./hooks/index.js";
export { CodexError, type CodexErrorOptions, type ErrorCode } from "./protocol/error.js";

/** Options for a `Codex`: where the engine runs, and the defaults of its threads. */
export interface CodexOptions extends ThreadOptions {
  /** Address of a server, such as `unix:///run/quire.sock`; by default the engine runs in this process. */
  url?: string;
  /**
   * Address of the broker of a fleet, such as `nats://host:4222`, on whose workers the threads run; `pool` names the pool of new
   * threads, and `workingDirectory` is a folder of the workers.
   */
  fleet?: string | { url: string; pool?: string };
  /** Token for that server, or a file of mode 0600 with it. */
  token?: ConnectOptions["token"];
  /** The certificates of a connection by `tls://`, `wss://`, `h2s://` or `grpcs://`. */
  tls?: ConnectOptions["tls"];
  /** Environment of an engine in this process; default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * API key for OpenAI's API or `baseUrl`, for an engine in this process. No other key is sent instead.
   * Default: `CODEX_API_KEY` of `env`, then the login of the user, then `OPENAI_API_KEY`.
   */
  apiKey?: string;
  /** The address of the Responses API to use instead of OpenAI's, such as `https://host/v1`. */
  baseUrl?: string;
  /** The version of Codex to behave like; `current` is the default. */
  era?: EraName;
  /** Settings of config.toml for all threads. */
  config?: ConfigObject;
  /**
   * Functions that follow, change and block what the agent does; they need no trust. They run in the
   * engine's process, so they cannot be combined with `url`.
   *
   * ```ts
   * new Codex({ hooks: { preToolUse: ({ tool_name }) => tool_name === "Bash" ? { deny: "No commands" } : undefined } });
   * ```
   */
  hooks?: ProgramHooks;
}

/** The agent as a library: threads of an engine in this process, or of a server elsewhere. */
export class Codex extends CodexClient {
  constructor(options: CodexOptions = {}) {
    const { url, fleet, token, tls, env, apiKey, baseUrl, era, hooks, ...threads } = options;
    if (url !== undefined && fleet !== undefined) {
      throw new CodexError(
        "invalid_request",
        "`url` and `fleet` cannot be used together: threads run at one of them",
      );
    }
    if (fleet !== undefined && hooks !== undefined) {
      throw new CodexError(
        "invalid_request",
        "`hooks` run in the engine's process and cannot be used with `fleet`: configure them on the workers",
      );
    }
    if (url !== undefined && hooks !== undefined) {
      throw new CodexError(
        "invalid_request",
        "`hooks` run in the engine's process and cannot be used with `url`: configure them on the server, in its hooks.json",
      );
    }
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
  const { url, token, tls, fleet } = options;
  const clientInfo = { name: "quire-agent", title: "quire-agent", version: "library" };
  if (fleet !== undefined) {
    const { startInProcessGateway } = await import("./fleet/gateway/index.js");
    const address = typeof fleet === "string" ? { url: fleet } : fleet;
    const channel = await startInProcessGateway(address, { env: options.env ?? process.env });
    return connectAppServer(channel, { clientInfo, handlers, signal });
  }
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

async function startHere({
  env = process.env,
  apiKey,
  era,
  workingDirectory,
  hooks,
}: CodexOptions) {
  const { startInProcessAppServer } = await import("./server/serve.js");
  const cwd = workingDirectory ?? process.cwd();
  const functions = hooks && (await import("./hooks/index.js")).toHookFunctions(hooks);
  return startInProcessAppServer({
    env,
    cwd,
    era,
    apiKey: apiKey ?? codexApiKey(env),
    ...(functions === undefined ? {} : { hooks: { functions } }),
  });
}
