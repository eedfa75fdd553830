import { type Config, ignoredText, readInstallationId } from "../config/index.js";
import { readHistoryMetadata } from "../history/index.js";
import { noSkillsSection, type SkillCatalogue } from "../project/index.js";
import { toDynamicTools } from "../protocol/read/dynamic-tool.js";
import type { ConfigureSessionOp, EventMsg } from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import { agentMessages } from "./agents/opening.js";
import { loadInstructions } from "./instructions.js";
import { type EngineParts, type QueuePair, toSharedParts } from "./parts.js";
import { recoverFiles } from "./rewind/recover.js";
import { Session } from "./session.js";
import { noLog } from "./session-log.js";
import {
  followSettings,
  prepareHooks,
  resumedConfig,
  sessionMeta,
  withOp,
  withRecordedPolicies,
  withRights,
} from "./session-settings.js";
import { codeModeWarnings, createSessionTools } from "./session-tools.js";
import { activeProfileOf, agentGeneration, toTurnContext } from "./turn-context.js";

/** A request to configure the session. */
export interface ConfigureRequest {
  op: ConfigureSessionOp;
  /** The submission that asks; it is answered under this id. */
  id: string;
  existing: Session | undefined;
}

/**
 * Creates the session, or applies new settings to the existing one.
 *
 * Invalid settings change nothing. Valid ones abort the running task; the conversation continues,
 * unless `resume_path` selects another.
 */
export async function configureSession(
  { op, id, existing }: ConfigureRequest,
  queues: QueuePair,
  parts: EngineParts,
): Promise<Session> {
  const resumed =
    op.resume_path === undefined ? undefined : await parts.readConversation(op.resume_path);
  const loaded = withOp(await parts.loadConfig(withRecordedPolicies(op, resumed)), op);
  if (existing !== undefined && resumed === undefined) {
    await reconfigure(existing, loaded, parts);
    existing.onInput = op.on_input ?? existing.onInput;
    await answer(existing, id, loaded);
    for (const message of loaded.constrained) existing.emit(id, { type: "warning", message });
    return existing;
  }
  const own = resumed === undefined ? loaded : resumedConfig(loaded, resumed, op);
  const config = withRights(own, parts);
  await existing?.close();
  const ofFile = resumed?.warnings.map((warning) => `${resumed.path}: ${warning}`) ?? [];
  const ofKeys = loaded.ignored.length === 0 ? [] : [ignoredText(loaded.ignored)];
  const { constrained } = loaded;
  const warnings: string[] = [...ofKeys, ...loaded.warnings, ...constrained, ...ofFile];
  const session = await createSession({ config, op, resumed, warnings }, queues, parts);
  await answer(session, id, config, resumed);
  for (const message of warnings) session.emit(id, { type: "warning", message });
  return session;
}

async function answer(
  session: Session,
  id: string,
  { home }: Config,
  resumed?: ReplayedConversation,
): Promise<void> {
  const history = await readHistoryMetadata(home);
  const { context } = session;
  session.emit(id, {
    type: "session_configured",
    session_id: session.id,
    model: context.model,
    ...(context.effort === undefined ? {} : { reasoning_effort: context.effort }),
    history_log_id: history.logId,
    history_entry_count: history.entryCount,
    ...(resumed === undefined ? {} : { initial_messages: resumed.initialMessages }),
    rollout_path: session.parts.log.path ?? "",
    model_provider_id: session.parts.provider.id,
    approval_policy: context.approval_policy,
    approvals_reviewer: context.approvals_reviewer,
    sandbox_policy: context.sandbox_policy,
    ...activeProfileOf(context),
    cwd: context.cwd,
    reasoning_summary: context.summary,
    ...(context.personality === undefined ? {} : { personality: context.personality }),
    instruction_sources: [...session.instructionSources],
  });
  session.events.announce();
}

/** Inputs for a new session. */
interface NewSession {
  config: Config;
  op: ConfigureSessionOp;
  resumed: ReplayedConversation | undefined;
  /** Collects warnings to emit once the session is configured. */
  warnings: string[];
}

async function createSession(
  { config, op, resumed, warnings }: NewSession,
  queues: QueuePair,
  parts: EngineParts,
): Promise<Session> {
  const isEphemeral = op.ephemeral === true;
  const ownId = parts.agent?.self.threadId ?? parts.threadId;
  const id = ownId ?? (isEphemeral ? parts.newId() : (resumed?.id ?? parts.newId()));
  const dynamicTools = op.dynamic_tools ?? toDynamicTools(resumed?.meta.dynamic_tools);
  let session: Session | undefined;
  const warn = (message: string) => {
    if (session === undefined) warnings.push(message);
    else session.warn(message);
  };
  const createHooks = await prepareHooks(config, parts, { id, warn, current: () => session });
  const agent = parts.agent?.self;
  const observed = { id, warn, agent: agent && (agent.nickname ?? agent.path) };
  const observer = await parts.observe?.(config, observed);
  const skills = parts.createSkills(config);
  const instructions = await readInstructions({ config, op, skills }, parts);
  warnings.push(...instructions.warnings, ...codeModeWarnings(config, parts.era));
  const logOptions = { home: config.home, onFailure: warn };
  const openLog = async () => {
    if (isEphemeral) return noLog;
    if (resumed !== undefined) return parts.resumeLog(resumed, logOptions);
    const begun = { id, config, instructions: instructions.text, dynamicTools };
    return parts.openLog(sessionMeta(begun, parts), logOptions);
  };
  await recoverFiles(config.home);
  const log = await openLog();
  const early: EventMsg[] = [];
  const emit = (msg: EventMsg) => {
    if (session === undefined) early.push(msg);
    else session.events.emitOnceAnnounced("", msg);
  };
  const mcp = await parts.startMcp(config, {
    emit,
    async answer(question, signal) {
      if (session === undefined) return { action: "decline" };
      return session.askElicitation(question, signal);
    },
  });
  const model = await parts.createModel(config);
  const tools = createSessionTools(config, parts, { id, warn, mcp, dynamicTools });
  session = new Session({
    id,
    queues: observer?.queues(queues) ?? queues,
    log,
    model: observer?.model(model) ?? model,
    provider: config.provider,
    tools: observer?.tools(tools) ?? tools,
    observer,
    userShell: parts.createUserShell(config, { id, warn }),
    dynamicTools,
    startedBy: op,
    context: toTurnContext(config, parts.era),
    config,
    ...toSharedParts(parts),
    skills,
    mcp,
    loadProfile: (name, cwd) => loadPermissions({ op, name, cwd }, parts),
    installationId:
      parts.era.model.requestForm === "2026-11" ? await readInstallationId(config.home) : "",
  });
  session.userInstructions = instructions.text;
  session.skills = instructions.skills;
  session.instructionSources = instructions.sources;
  for (const msg of early) session.events.emitOnceAnnounced("", msg);
  session.emitsRawItems = op.raw_events === true;
  session.onInput = op.on_input;
  session.hooks = createHooks?.(session);
  await restoreState(session, { op, resumed });
  openConversation(session, { op, resumed });
  // Those that worked when the process ended are reported to the model.
  if (parts.agent !== undefined || session.replayed.length > 0) {
    const agents = await session.useAgents();
    // A copy has the agents of its origin, which may be at work there.
    if (op.is_copy !== true && !isEphemeral) await agents.recover();
  }
  session.leaveWorktree = await parts.worktrees?.use(config);
  session.stopFollowing = parts.follow(followSettings(session, op, parts));
  return session;
}

/** Takes over the state of a recorded conversation, and creates what counts its budgets and follows its turns. */
async function restoreState(
  session: Session,
  { op, resumed }: Pick<NewSession, "op" | "resumed">,
): Promise<void> {
  if (resumed !== undefined) session.restore(resumed);
  const { budget } = session.config.settings;
  if (budget !== undefined) {
    const { Budget } = await import("./budget/budget.js");
    session.budget = new Budget(session, budget);
  }
  if (resumed !== undefined) await restoreWork(session, resumed, op);
  session.loadFollowUps = async () =>
    (await import("./follow-ups/follow-ups.js")).followUpsOf(session);
}

/** Records the messages in front of a new conversation; one that continues gets only changed settings, with its next turn. */
function openConversation(
  session: Session,
  { op, resumed }: Pick<NewSession, "op" | "resumed">,
): void {
  const { agent, era } = session.parts;
  const isCopy = op.is_copy === true;
  if (resumed !== undefined) {
    session.startSource = isCopy ? "fork" : "resume";
    session.windows.beginning = isCopy ? "warm_fork" : "cold_resume";
  }
  if (agent?.history !== undefined) {
    session.windows.beginning = "warm_fork";
    const isSecond = agentGeneration(session.config, era, session.context) === "v2";
    const own = isSecond ? agentMessages(agent, session.context) : [];
    session.record([...agent.history, ...own]);
  }
  // A fork of an empty conversation needs the opening messages too.
  const opensAgain = isCopy && era.engine.contextForm !== "2025";
  if (session.history.items.length === 0 || opensAgain) session.record(session.initialContext());
  else session.settings.resumed = resumed?.turnContext;
}

/** Takes over the goal and the queue; most conversations have neither. */
async function restoreWork(
  session: Session,
  { work }: ReplayedConversation,
  { is_copy, ephemeral }: ConfigureSessionOp,
): Promise<void> {
  if (work.goal === undefined && work.pending.length === 0) return;
  const { restoreFollowUps } = await import("./follow-ups/follow-ups.js");
  restoreFollowUps(session, work, is_copy === true || ephemeral === true);
}

/** Resolves a permission profile by name, with the other settings of the session. */
async function loadPermissions(
  { op, name, cwd }: { op: ConfigureSessionOp; name: string; cwd: string },
  parts: EngineParts,
) {
  const selected = { ...op, cwd, active_permission_profile: { id: name } };
  const { permissions, requirements } = await parts.loadConfig(selected);
  requirements?.assertSelected(name, permissions?.id);
  return permissions;
}

async function readInstructions(
  { config, op, skills }: { config: Config; op: ConfigureSessionOp; skills: SkillCatalogue },
  { era: { engine }, readGuard }: EngineParts,
) {
  if (op.user_instructions !== undefined) {
    return { text: op.user_instructions, skills: noSkillsSection, sources: [], warnings: [] };
  }
  const { skillsSection } = engine;
  const found = skillsSection === "never" ? undefined : (await skills.forCwd(config.cwd)).skills;
  const { cwd, permissions: rules, sandbox_policy } = config;
  const guard = rules && (await readGuard?.({ ...sandbox_policy, rules }, cwd));
  return loadInstructions(config, { skills: found, listing: skillsSection, guard });
}

async function reconfigure(session: Session, config: Config, parts: EngineParts): Promise<void> {
  const model = await parts.createModel(config);
  const warn = (message: string) => session.warn(message);
  const { id } = session;
  const { mcp, dynamicTools, observer } = session.parts;
  const tools = createSessionTools(config, parts, { id, warn, mcp, dynamicTools });
  const createHooks = await prepareHooks(config, parts, { id, warn, current: () => session });
  session.abortAll("replaced");
  session.useHooks(createHooks?.(session));
  session.reconfigure({
    model: observer?.model(model) ?? model,
    provider: config.provider,
    tools: observer?.tools(tools) ?? tools,
    userShell: parts.createUserShell(config, { id: session.id, warn }),
    context: toTurnContext(config, parts.era),
    config,
  });
}
