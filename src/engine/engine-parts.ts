import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { Clock } from "../lib/clock.js";
import type { ModelClient } from "../model/index.js";
import type { SkillCatalogue } from "../project/index.js";
import type { ConfigureSessionOp, EventMsg } from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import type { ToolBox, UserShell } from "../tools/index.js";
import type { SettingsFollower } from "./follow-settings.js";
import type { OpenLog, ResumeLog } from "./log.js";
import type { Elicitation, ElicitationAnswer, McpAccess } from "./mcp-access.js";

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
