import type { Config } from "../config/index.js";
import { readHistoryMetadata } from "../history/index.js";
import type { Clock } from "../lib/clock.js";
import { modelFamily } from "../model/families.js";
import type { ModelClient, ModelProvider } from "../model/types.js";
import { readGitInfo } from "../project/index.js";
import type { Era } from "../protocol/era.js";
import type { ConfigureSessionOp, SessionMetaLine } from "../protocol/types.js";
import type { ToolBox } from "../tools/index.js";
import { checkCwd } from "./cwd.js";
import type { OpenLog } from "./log.js";
import type { QueuePair } from "./queues.js";
import { Session, type SessionSettings } from "./session.js";
import type { TurnContext } from "./turn-context.js";

/** What the engine is built from: everything it needs of the world outside. */
export interface EngineParts {
  era: Era;
  clock: Clock;
  newId(): string;
  /** The user's settings; of the op only what names something in them has been looked at. */
  loadConfig(op: ConfigureSessionOp): Promise<Config>;
  openLog: OpenLog;
  createModel(provider: ModelProvider): Promise<ModelClient>;
  createTools(config: Config, warn: (message: string) => void): ToolBox;
  /** The user's shell by its bare name, when known. */
  shell: string | undefined;
  originator: string;
}

/**
 * Makes the session, or gives the one there is new settings.
 *
 * Settings that cannot be used leave everything as it was. New ones end what is running; the
 * conversation itself goes on.
 */
export async function configureSession(
  existing: Session | undefined,
  op: ConfigureSessionOp,
  id: string,
  queues: QueuePair,
  parts: EngineParts,
): Promise<Session> {
  checkCwd(op.cwd);
  const config = withOp(await parts.loadConfig(op), op);
  const warnings: string[] = [];
  const session = existing ?? (await createSession(config, queues, parts, warnings));
  if (existing !== undefined) await reconfigure(existing, config, parts);
  const history = await readHistoryMetadata(config.home);
  const { context } = session;
  session.emit(id, {
    type: "session_configured",
    session_id: session.id,
    model: context.model,
    ...(context.effort === undefined ? {} : { reasoning_effort: context.effort }),
    history_log_id: history.logId,
    history_entry_count: history.entryCount,
    rollout_path: session.parts.log.path ?? "",
  });
  for (const message of warnings) session.emit(id, { type: "warning", message });
  return session;
}

async function createSession(
  config: Config,
  queues: QueuePair,
  parts: EngineParts,
  warnings: string[],
): Promise<Session> {
  const id = parts.newId();
  let warn = (message: string): void => void warnings.push(message);
  const log = parts.openLog(await sessionMeta(id, config, parts), {
    home: config.home,
    onFailure: (message) => warn(message),
  });
  const session = new Session({
    id,
    queues,
    log,
    model: await parts.createModel(config.provider),
    provider: config.provider,
    tools: parts.createTools(config, (message) => warn(message)),
    context: turnContext(config, parts.era),
    settings: sessionSettings(config, parts),
    era: parts.era,
    clock: parts.clock,
    newId: parts.newId,
  });
  session.record(session.initialContext());
  warn = (message) => session.warn(message);
  return session;
}

async function reconfigure(session: Session, config: Config, parts: EngineParts): Promise<void> {
  session.abortTask("replaced");
  session.reconfigure({
    model: await parts.createModel(config.provider),
    provider: config.provider,
    tools: parts.createTools(config, (message) => session.warn(message)),
    context: turnContext(config, parts.era),
    settings: sessionSettings(config, parts),
  });
}

async function sessionMeta(
  id: string,
  config: Config,
  parts: EngineParts,
): Promise<SessionMetaLine> {
  const git = await readGitInfo(config.cwd);
  return {
    id,
    timestamp: new Date(parts.clock.now()).toISOString(),
    cwd: config.cwd,
    originator: parts.originator,
    cli_version: parts.era.compatibleWith,
    instructions: null,
    ...(git === undefined ? {} : { git }),
  };
}

/** The config with the settings of the op in place of its own. */
function withOp(config: Config, op: ConfigureSessionOp): Config {
  return {
    ...config,
    model: op.model ?? config.model,
    approval_policy: op.approval_policy ?? config.approval_policy,
    sandbox_policy: op.sandbox_policy ?? config.sandbox_policy,
    model_reasoning_effort: op.model_reasoning_effort ?? config.model_reasoning_effort,
    model_reasoning_summary: op.model_reasoning_summary ?? config.model_reasoning_summary,
    model_verbosity: op.model_verbosity ?? config.model_verbosity,
    base_instructions: op.instructions ?? config.base_instructions,
    include_plan_tool: op.include_plan_tool ?? config.include_plan_tool,
    include_apply_patch_tool: op.include_apply_patch_tool ?? config.include_apply_patch_tool,
  };
}

function turnContext(config: Config, era: Era): TurnContext {
  return {
    cwd: config.cwd,
    approval_policy: config.approval_policy,
    sandbox_policy: config.sandbox_policy,
    model: config.model,
    family: modelFamily(config.model, era.model.catalogue),
    effort: config.model_reasoning_effort,
    summary: config.model_reasoning_summary,
    verbosity: config.model_verbosity,
    personality: undefined,
    collaboration_mode: undefined,
  };
}

function sessionSettings(config: Config, parts: EngineParts): SessionSettings {
  return {
    baseInstructions: config.base_instructions,
    showRawReasoning: config.show_raw_agent_reasoning,
    hideReasoning: config.hide_agent_reasoning,
    shell: parts.shell,
    contextWindow: config.model_context_window,
    autoCompactLimit: config.model_auto_compact_token_limit,
    compactPrompt: config.compact_prompt,
    reviewModel: config.review_model,
  };
}
