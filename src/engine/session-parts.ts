import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { Clock } from "../lib/clock.js";
import type { ModelClient, ModelProvider } from "../model/types.js";
import type { SkillCatalogue } from "../project/index.js";
import type { DynamicTool } from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import type { ToolBox, UserShell } from "../tools/index.js";
import type { SessionLog } from "./log.js";
import type { McpAccess } from "./mcp-access.js";
import type { QueuePair } from "./queues.js";
import type { TurnContext } from "./turn-context.js";

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
