import type { Agent, AgentThread, AgentTree } from "../agents/index.js";
import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { HookServices, Hooks } from "../hooks/index.js";
import type { Clock } from "../lib/clock.js";
import type { ModelClient, ModelProvider } from "../model/index.js";
import type { SkillCatalogue } from "../project/index.js";
import type { PermissionRules } from "../protocol/permission-rules.js";
import type {
  ConfigureSessionOp,
  DynamicTool,
  Event,
  ResponseItem,
  Submission,
} from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import type { EnforcedPolicy, ReadGuard, Sandbox } from "../sandbox/index.js";
import type { ObservedSession, SessionObserver } from "../telemetry/index.js";
import type { ToolBox, UserShell } from "../tools/index.js";
import type { ForwardedQuestions } from "./agents/forwarded-questions.js";
import type { TreeRights } from "./agents/rights.js";
import type { McpAccess, McpClient } from "./mcp-access.js";
import type { OpenLog, ResumeLog, SessionLog } from "./session-log.js";
import type { TurnContext } from "./turn-context.js";

/**
 * The two queues between a client and the engine, as the engine sees them.
 *
 * They may live in this process, or on a broker between machines.
 */
export interface QueuePair {
  /** Submissions in the order they were made; the engine stops when it ends. */
  readonly submissions: AsyncIterable<Submission>;
  /** Never waits and never throws: a slow or lost client must not stop a task. */
  publish(event: Event): void;
  /**
   * Returns a promise if the client is far behind: sources that can wait, such as the stream of a model
   * or the output of a command, wait for it before they publish more. Called very often, so it is cheap.
   */
  room?(): Promise<void> | undefined;
  /**
   * Called when the log has the effect of a submission, or when it will have none. May be called again.
   *
   * An engine that continues the conversation must be sent the submissions that were not applied.
   */
  applied?(submissionId: string): void;
  /** No event follows. */
  end(): void;
}

/**
 * Returns the queue pair that an engine uses in place of its own, which gets what the returned one passes on.
 *
 * It can record, change or relay submissions and events; `{ ...own, publish }` is enough to follow the events.
 */
export type WrapQueues = (own: QueuePair) => QueuePair;

/** Everything an engine needs from outside: settings, logs, the model, tools and MCP servers. */
export interface EngineParts {
  /** The version of Codex to behave like. */
  era: Era;
  /** Time and timers. */
  clock: Clock;
  /** Returns a new unique id. */
  newId(): string;
  /** Id of a new conversation, if the caller has chosen one. */
  threadId?: string;
  /** Default working directory of sessions. */
  cwd: string;
  /** Loads the user's settings. Applies the policies of the op, and the fields that select something. */
  loadConfig(op: ConfigureSessionOp): Promise<Config>;
  /** Creates the log of a new thread. */
  openLog: OpenLog;
  /** Replaces the queue pair of each thread of a server. */
  wrapQueues?: WrapQueues;
  /** Reads a recorded thread and continues its log. */
  resumeLog: ResumeLog;
  /** Reads a recorded conversation; `until` is a byte offset in its file. */
  readConversation(path: string, until?: number): Promise<ReplayedConversation>;
  /** Finds the conversation in `home` that recorded a response, up to the end of that response. */
  findResponse(responseId: string, home: string): Promise<ReplayedConversation | undefined>;
  /** Creates the model client of a session, which closes it. */
  createModel(config: Config): Promise<ModelClient>;
  /** Creates the tools of a session. */
  createTools(config: Config, session: SessionServices): ToolBox;
  /** Creates the shell that the user's own commands run in. */
  createUserShell(config: Config, session: Pick<SessionServices, "id" | "warn">): UserShell;
  /** Creates the catalogue of skills of a session. */
  createSkills(config: Config): SkillCatalogue;
  /** Creates the trusted hooks of the settings; undefined, and nothing is loaded, if there are none. */
  createHooks(config: Config, services: HookServices): Promise<Hooks | undefined>;
  /** Starts the MCP servers of a session. */
  startMcp(config: Config, client: McpClient): Promise<McpAccess>;
  /** Creates the observer of a session; undefined, and nothing is loaded, if nothing is measured. */
  observe?(config: Config, session: ObservedSession): Promise<SessionObserver | undefined>;
  /** Set if the engine runs a helper agent. */
  agent?: AgentContext;
  /** Starts the engine of a helper agent, with the parts of the one that starts it. */
  startAgent(...args: [...Parameters<StartAgent>, EngineParts]): ReturnType<StartAgent>;
  /** Registers a follower of changed settings; returns a function that removes it. */
  follow(follower: SettingsFollower): () => void;
  /** Returns a guard for files that this process reads for the model; undefined if it may read all. */
  readGuard?(policy: EnforcedPolicy, cwd: string): Promise<ReadGuard | undefined>;
  /** Worktrees for helper agents, below the home; without it there are none. */
  worktrees?: Worktrees;
  /** Isolates the process in which scripts of the model run; without it there are none. */
  isolate?: Sandbox["isolate"];
  /** The operating system, for the description of the environment. */
  platform: NodeJS.Platform;
  /** Environment of programs that read the user's repository; none by default. */
  env?: NodeJS.ProcessEnv;
  /** Name of the user's shell without its path, if known. */
  shell: string | undefined;
  /** Name of the program that starts conversations. */
  originator: string;
  /** Kind of that program, such as `cli` or `exec`. */
  source: string;
}

/** Git worktrees in which helper agents work. */
export interface Worktrees {
  /** Marks the worktree of a session as used until the returned function is called; most work in none. */
  use(config: Config): Promise<() => void> | undefined;
  /** Creates one for the repository around the working directory; throws with the reason if it cannot. */
  create(config: Config, name: string): Promise<AgentWorktree>;
}

/** A git worktree in which a helper agent works. */
export interface AgentWorktree {
  readonly path: string;
  readonly branch: string;
  /** Folder in it that corresponds to the working directory. */
  readonly cwd: string;
  /** Returns true if it has changes or commits. */
  hasWork(): Promise<boolean>;
  /** Removes it, unless it has uncommitted changes. */
  removeIfClean(): Promise<unknown>;
}

/** The place of a helper agent among the agents of a conversation. */
export interface AgentContext {
  /** All agents of the conversation. */
  tree: AgentTree;
  /** The agent of this session. */
  self: Agent;
  /** Rights of all agents of the conversation. */
  rights: TreeRights;
  /** Path of the log of the user's conversation. */
  transcript?: string | undefined;
  /** Items that its conversation starts with; undefined: a new conversation. */
  history?: readonly ResponseItem[];
  /** Passes its questions to the client of the root, if no other host serves the agent. */
  questions?: ForwardedQuestions;
}

/** Starts the engine of a helper agent; every event of it is passed to `onEvent`. */
export type StartAgent = (
  op: ConfigureSessionOp,
  context: AgentContext,
  onEvent: (event: Event) => void,
) => Promise<AgentThread>;

/** Applies changed settings to something that is running. */
export interface SettingsFollower {
  /** Reads the current settings; throws if they have a mistake. The returned function applies them. */
  prepare(): Promise<() => void>;
}

/** Services of a session for the tools that are created for it. */
export interface SessionServices {
  /** The id of the session. */
  id: string;
  /** Shows the user a warning. */
  warn(message: string): void;
  /** The MCP servers of the session. */
  mcp: McpAccess;
  /** True if it is a helper agent, which the user does not see. */
  isAgent: boolean;
}

/** Parts of one session: those of its engine, and those created for it. */
export interface SessionParts extends SessionConfiguration, SharedParts {
  id: string;
  queues: QueuePair;
  log: SessionLog;
  skills: SkillCatalogue;
  /** Id of this installation for model servers; empty in eras that do not send it. */
  installationId: string;
  /** Op that configured the session. */
  startedBy: ConfigureSessionOp;
  /** Tools that the client runs itself. */
  dynamicTools: readonly DynamicTool[];
  mcp: McpAccess;
  /** Measures the session; most have none. */
  observer: SessionObserver | undefined;
  /** Resolves a permission profile by its name; throws if it does not exist. */
  loadProfile(name: string, cwd: string): Promise<PermissionRules | undefined>;
}

/** Parts of the engine that a session uses as they are. */
interface SharedParts extends Pick<EngineParts, (typeof sharedParts)[number]> {
  startAgent: StartAgent;
}

const sharedParts = [
  "era",
  "clock",
  "newId",
  "shell",
  "platform",
  "env",
  "source",
  "readConversation",
  "findResponse",
  "readGuard",
  "worktrees",
  "agent",
] as const satisfies readonly (keyof EngineParts)[];

/** Selects the parts of the engine that a session uses as they are. */
export function toSharedParts(parts: EngineParts): SharedParts {
  const shared = Object.fromEntries(sharedParts.map((name) => [name, parts[name]]));
  const startAgent: StartAgent = (op, context, onEvent) =>
    parts.startAgent(op, context, onEvent, parts);
  return { ...(shared as Omit<SharedParts, "startAgent">), startAgent };
}

/** The parts of a session that `configure_session` can replace. */
export interface SessionConfiguration {
  model: ModelClient;
  provider: ModelProvider;
  tools: ToolBox;
  userShell: UserShell;
  context: TurnContext;
  config: Config;
}
