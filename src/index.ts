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
import type { Cassette, Clock, ModelClient, OpenLog, WrapQueues } from "./engine/index.js";
import type { ProgramHooks } from "./hooks/index.js";
import { CodexError } from "./protocol/error.js";
import type { ConnectOptions } from "./transport/index.js";

export {
  type AgentMessageItem,
  type ApprovalDecision,
  type ApprovalMode,
  type ApprovalRequest,
  type Approver,
  type CommandExecutionItem,
  type ConfigObject,
  type ConfigValue,
  type ErrorItem,
  type FileChangeItem,
  type ForkOptions,
  type Input,
  type ItemCompletedEvent,
  type ItemDeltaEvent,
  type ItemStartedEvent,
  type ItemUpdatedEvent,
  type ListThreadsOptions,
  type ListTurnsOptions,
  type McpToolCallItem,
  type ModelReasoningEffort,
  type OwnTool,
  type OwnToolContext,
  type OwnToolOutput,
  type OwnToolPart,
  type ReasoningItem,
  type RequestOptions,
  type RewindOptions,
  type RewindResult,
  type RunDeltasResult,
  type RunResult,
  type RunStreamedResult,
  type SandboxMode,
  type SetGoalOptions,
  Thread,
  type ThreadDelta,
  type ThreadError,
  type ThreadErrorEvent,
  type ThreadEvent,
  type ThreadGoal,
  type ThreadItem,
  type ThreadOptions,
  type ThreadStartedEvent,
  type ThreadStreamEvent,
  type ThreadsList,
  type TodoListItem,
  type ToolCallItem,
  type TurnCompletedEvent,
  type TurnFailedEvent,
  type TurnOptions,
  type TurnStartedEvent,
  type TurnsList,
  type Usage,
  type UsageUpdatedEvent,
  type UserInput,
  type WebSearchItem,
  type WebSearchMode,
} from "./client/index.js";
export type { EraName } from "./compat/index.js";
export type {
  Cassette,
  CassetteHost,
  Clock,
  LogOptions,
  ModelClient,
  ModelFailure,
  OpenLog,
  Prompt,
  QueuePair,
  SessionLog,
  StreamItem,
  WrapQueues,
} from "./engine/index.js";
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
export interface CodexOptions extends Omit<ThreadOptions, "model"> {
  /** The name of the model, or an object in place of the provider; the `Codex` closes it. */
  model?: string | ModelClient;
  /**
   * Creates the log of a new thread, in place of a file in `CODEX_HOME`, for an engine in this process. Such
   * threads are not listed and cannot be resumed by id.
   */
  log?: OpenLog;
  /**
   * Returns the queue pair that the engine of each thread uses in place of its own, for an engine in this process: to follow,
   * change or relay its submissions and events.
   */
  queues?: WrapQueues;
  /** Records or replays the traffic with the model, for an engine in this process: see `quire-agent/testing`. */
  cassette?: Cassette;
  /** Time and timers of an engine in this process; those of the system by default. */
  clock?: Clock;
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
  /** Creates an agent; nothing is started or connected before its first turn. */
  constructor(options: CodexOptions = {}) {
    CodexClient.checkOptions(options);
    const { url, fleet, token, tls, env, apiKey, baseUrl, era, hooks, ...more } = options;
    const { model, log, queues, clock, cassette, ...threads } = more;
    const elsewhere = url === undefined ? (fleet === undefined ? undefined : "fleet") : "url";
    const own = {
      model: typeof model === "object" ? model : undefined,
      log,
      queues,
      clock,
      cassette,
    };
    for (const [name, value] of Object.entries(own)) {
      if (value === undefined || elsewhere === undefined) continue;
      throw new CodexError(
        "invalid_request",
        `\`${name}\` of your own is for an engine in this process and cannot be used with \`${elsewhere}\``,
      );
    }
    const settings = { apiKey, era, ...(fleet === undefined ? { env } : {}) };
    for (const [name, value] of Object.entries(settings)) {
      if (value === undefined || elsewhere === undefined) continue;
      throw new CodexError(
        "invalid_request",
        `\`${name}\` is for an engine in this process and cannot be used with \`${elsewhere}\`: set it for the server`,
      );
    }
    for (const [name, value] of Object.entries({ token, tls })) {
      if (value === undefined || url !== undefined) continue;
      throw new CodexError(
        "invalid_request",
        `\`${name}\` is for the connection to a server, and there is no \`url\`: add it, or remove \`${name}\``,
      );
    }
    if (own.model !== undefined && cassette !== undefined) {
      throw new CodexError(
        "invalid_request",
        "`cassette` and an object as `model` cannot be used together: a cassette has the traffic with a provider",
      );
    }
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
    super((handlers, signal) => connect(options, handlers, signal), {
      ...threads,
      ...(typeof model === "string" ? { model } : {}),
      config,
    });
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
  model,
  log,
  queues,
  clock,
  cassette,
}: CodexOptions) {
  const { startInProcessAppServer } = await import("./server/serve.js");
  const cwd = workingDirectory ?? process.cwd();
  const functions = hooks && (await import("./hooks/index.js")).toHookFunctions(hooks);
  return startInProcessAppServer({
    env,
    cwd,
    era,
    apiKey: apiKey ?? codexApiKey(env),
    model: typeof model === "object" ? model : undefined,
    openLog: log && checked(log),
    wrapQueues: queues,
    clock,
    cassette,
    ...(functions === undefined ? {} : { hooks: { functions } }),
  });
}

/** Names the function that returned no log; the engine would report what it does not find there. */
function checked(log: OpenLog): OpenLog {
  return (...options) => {
    const opened: Partial<ReturnType<OpenLog>> | undefined = log(...options);
    if (typeof opened?.append === "function" && typeof opened.close === "function") {
      return opened as ReturnType<OpenLog>;
    }
    throw new CodexError(
      "invalid_request",
      "Expected `log` to return an object with `append` and `close`",
    );
  };
}
