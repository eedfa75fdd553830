import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { Clock } from "../lib/clock.js";
import type { ModelClient, ModelProvider } from "../model/index.js";
import type { SkillCatalogue } from "../project/index.js";
import type {
  ConfigureSessionOp,
  DynamicTool,
  EventMsg,
  McpTool,
  RolloutItem,
  SessionMetaLine,
} from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import type { McpToolParts, ToolBox, UserShell } from "../tools/index.js";
import type { QueuePair } from "./queues.js";
import type { SettingsFollower } from "./session-settings.js";
import type { TurnContext } from "./turn-context.js";

/** What the engine is built from: everything it needs of the world outside. */
export interface EngineParts {
  era: Era;
  clock: Clock;
  newId(): string;
  /** The working directory of the server: sessions work there by default. */
  cwd: string;
  /** The user's settings; of the op only what names something in them has been looked at. */
  loadConfig(op: ConfigureSessionOp): Promise<Config>;
  openLog: OpenLog;
  resumeLog: ResumeLog;
  /** Reads a recorded conversation, all of it or up to a byte of its file. */
  readConversation(path: string, until?: number): Promise<ReplayedConversation>;
  /** The conversation of a home that recorded a response, up to the end of that response. */
  findResponse(responseId: string, home: string): Promise<ReplayedConversation | undefined>;
  createModel(config: Config): Promise<ModelClient>;
  createTools(config: Config, session: SessionServices): ToolBox;
  createUserShell(config: Config, session: Pick<SessionServices, "id" | "warn">): UserShell;
  createSkills(config: Config): SkillCatalogue;
  startMcp(config: Config, client: McpClient): Promise<McpAccess>;
  /** Lets something go on with settings that change; returns how to end that. */
  follow(follower: SettingsFollower): () => void;
  platform: NodeJS.Platform;
  /** The user's shell by its bare name, when known. */
  shell: string | undefined;
  /** The program that begins conversations, and what kind of program that is. */
  originator: string;
  source: string;
}

/** What MCP servers may say to the client of a session. */
export interface McpClient {
  tell(msg: EventMsg): void;
  answer(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
}

/** What a session lends to those it is made of. */
export interface SessionServices {
  id: string;
  /** Tells the user something that is no error. */
  warn(message: string): void;
  mcp: McpAccess;
}

/** What a session is made of; everything outside the engine comes in here. */
export interface SessionParts extends SessionConfiguration {
  id: string;
  queues: QueuePair;
  log: SessionLog;
  era: Era;
  clock: Clock;
  newId(): string;
  /** The user's shell by its bare name, when known. */
  shell: string | undefined;
  skills: SkillCatalogue;
  platform: NodeJS.Platform;
  /** What kind of program drives the session. */
  source: string;
  /** Names this installation to model servers, in versions that tell it. */
  installationId: string;
  /** Tools that the client runs itself. */
  dynamicTools: readonly DynamicTool[];
  mcp: McpAccess;
  readConversation(path: string, until?: number): Promise<ReplayedConversation>;
  /** Finds a response in the recorded conversations of a home; see `EngineParts`. */
  findResponse(responseId: string, home: string): Promise<ReplayedConversation | undefined>;
}

/** The part of a session that `configure_session` can change. */
export interface SessionConfiguration {
  model: ModelClient;
  provider: ModelProvider;
  tools: ToolBox;
  userShell: UserShell;
  context: TurnContext;
  config: Config;
}

/**
 * The record of one conversation: enough to go on with it later.
 *
 * What `append` was given survives the end of the process, however it comes.
 */
export interface SessionLog {
  /** Where it is kept, when it is a file. */
  readonly path: string | undefined;
  append(item: RolloutItem): void;
  close(): Promise<void>;
}

/** Where a log is kept, and who hears when it cannot be written any more. */
export interface LogOptions {
  home: string;
  onFailure(message: string): void;
}

/** Opens the log of a new conversation; `meta` is its first entry. */
export type OpenLog = (meta: SessionMetaLine, options: LogOptions) => SessionLog;

/** Opens the log of a recorded conversation to go on with; throws when someone else writes it. */
export type ResumeLog = (
  conversation: { id: string; path: string },
  options: LogOptions,
) => SessionLog;

/** The log of a session of which nothing is kept. */
export const noLog: SessionLog = { path: undefined, append() {}, close: async () => {} };

/** What the engine asks of the MCP servers of a session. */
export interface McpAccess {
  /** Resolves when every server has started or failed, as far as is known now; never rejects. */
  readonly started: Promise<unknown>;
  /** The tools by their qualified names; waits for servers that are still starting. */
  listTools(): Promise<Record<string, McpTool>>;
  /** What of them the model is offered; nothing without servers. */
  readonly tools: McpToolParts | undefined;
  /** Looks at what settings say of servers; what is returned goes on with these, at once. */
  prepare(config: Config): Promise<() => void>;
  /** Ends the servers that nobody else uses. */
  close(): Promise<void>;
}

/** What the user does about a question of a server; `content` is what was filled in. */
export interface ElicitationAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** A question that a server has for the user. */
export interface Elicitation {
  server: string;
  id: string | number;
  message: string;
  requestedSchema: unknown;
}

/** Names a question among all that wait: servers number theirs each by itself. */
export function elicitationKey(server: string, id: string | number): string {
  return JSON.stringify([server, id]);
}
