import type { Config } from "../config/index.js";
import { readGitInfo } from "../project/index.js";
import type {
  ConfigureSessionOp,
  DynamicTool,
  HookCompletedEvent,
  HookStartedEvent,
  SessionMetaLine,
  TurnContextItem,
} from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import type { SessionHooks } from "./hooks/session-hooks.js";
import type { AgentContext, EngineParts, SettingsFollower } from "./parts.js";
import type { Session } from "./session.js";

/** Settings of a resumed conversation: its recorded cwd and model, unless the client sets others. */
export function resumedConfig(
  config: Config,
  { meta, turnContext }: ReplayedConversation,
  op: ConfigureSessionOp,
): Config {
  return {
    ...config,
    cwd: op.cwd ?? turnContext?.cwd ?? meta.cwd ?? config.cwd,
    model: op.model ?? turnContext?.model ?? config.model,
  };
}

/**
 * The op with the recorded policies of a conversation that it keeps, if it sets no others.
 *
 * They are a request like those of a client: the requirements of the administrator count more.
 */
export function withRecordedPolicies(
  op: ConfigureSessionOp,
  resumed: ReplayedConversation | undefined,
): ConfigureSessionOp {
  if (op.keeps_policies !== true || resumed?.turnContext == null) return op;
  return { ...op, ...policiesOf(resumed.turnContext, op) };
}

/** The recorded policies that the op does not set, directly or as a setting of the config. */
function policiesOf(
  recorded: TurnContextItem,
  op: ConfigureSessionOp,
): Partial<ConfigureSessionOp> {
  const set = new Set([...Object.keys(op), ...Object.keys(op.config ?? {})]);
  const setsSandbox = [...set].some((key) => permissionKey.test(key));
  const { active_permission_profile: profile, sandbox_policy } = recorded;
  return {
    ...(set.has("approval_policy") ? {} : { approval_policy: recorded.approval_policy }),
    ...(set.has("approvals_reviewer")
      ? {}
      : { approvals_reviewer: recorded.approvals_reviewer ?? "user" }),
    ...(setsSandbox || profile == null ? {} : { active_permission_profile: profile }),
    ...(setsSandbox || profile != null ? {} : { sandbox_policy }),
  };
}

const permissionKey = /^(default_permissions|active_permission_profile|sandbox_.*)$/;

/** Overrides settings by those of the op; `loadConfig` has applied its policies. */
export function withOp(config: Config, op: ConfigureSessionOp): Config {
  return {
    ...config,
    model: op.model ?? config.model,
    model_reasoning_effort: op.model_reasoning_effort ?? config.model_reasoning_effort,
    model_reasoning_summary: op.model_reasoning_summary ?? config.model_reasoning_summary,
    model_verbosity: op.model_verbosity ?? config.model_verbosity,
    personality: op.personality ?? config.personality,
    base_instructions: op.instructions ?? config.base_instructions,
    notify: op.notify ?? config.notify,
    include_plan_tool: op.include_plan_tool ?? config.include_plan_tool,
    can_answer_questions: op.can_answer_questions ?? config.can_answer_questions,
    include_apply_patch_tool: op.include_apply_patch_tool ?? config.include_apply_patch_tool,
  };
}

/** Returns the settings of a helper agent with its rights in place of those that were loaded. */
export function withRights(
  config: Config,
  { agent, era }: Pick<EngineParts, "agent" | "era">,
): Config {
  if (agent === undefined) return config;
  const { tools: _, ...policies } = agent.rights.of(agent.self);
  const { permissions: __, ...others } = config;
  // Agents of the first generation have none below them in 0.166.
  const isLast = agent.self.generation === 1 && !era.since.current;
  const features = isLast ? new Map([...config.features, ["multi_agent", false]]) : config.features;
  return { ...others, ...policies, features };
}

/** Fields of the first log line that differ between conversations. */
interface MetaParts {
  id: string;
  config: Config;
  instructions: string | undefined;
  dynamicTools: readonly DynamicTool[];
}

/** Returns the first log line of a new conversation. */
export function sessionMeta(
  { id, config, instructions, dynamicTools }: MetaParts,
  { originator, source, era, clock, agent }: MetaSources,
): SessionMetaLine {
  const git = readGitInfo(config.cwd);
  return {
    id,
    timestamp: new Date(clock.now()).toISOString(),
    cwd: config.cwd,
    originator,
    cli_version: era.compatibleWith,
    instructions: instructions ?? null,
    ...(era.engine.recordsTasks
      ? {
          source: agent === undefined ? source : agentSource(agent),
          model_provider: config.provider.id,
        }
      : {}),
    ...(git === undefined ? {} : { git }),
    ...(dynamicTools.length === 0 ? {} : { dynamic_tools: [...dynamicTools] }),
  };
}

type MetaSources = Pick<EngineParts, "originator" | "source" | "era" | "clock" | "agent">;

/** Source of the conversation of a helper agent, as recorded. */
function agentSource({ self }: AgentContext) {
  return {
    subagent: {
      thread_spawn: {
        parent_thread_id: self.parent?.threadId ?? null,
        depth: self.depth,
        agent_path: self.path,
        agent_nickname: self.nickname ?? null,
        agent_role: self.role ?? null,
      },
    },
  };
}

/**
 * Applies changed settings for MCP servers, skills and hooks to a session.
 *
 * Settings that the client chose, such as the model, stay. A running turn keeps its servers.
 */
export function followSettings(
  session: Session,
  op: ConfigureSessionOp,
  parts: EngineParts,
): SettingsFollower {
  return {
    async prepare() {
      // An agent has the settings of the conversation that it works for, wherever it works.
      const { cwd = session.config.cwd } = parts.agent === undefined ? session.config : op;
      const config = await parts.loadConfig({ ...op, cwd });
      const takeUpServers = await session.parts.mcp.prepare(config);
      const { id } = session;
      const warn = (message: string) => session.warn(message);
      const createHooks = await prepareHooks(config, parts, { id, warn, current: () => session });
      return () => {
        session.parts.skills = parts.createSkills(config);
        session.current.whenIdle(() => {
          takeUpServers();
          session.useHooks(createHooks?.(session));
        });
      };
    },
  };
}

/** The session that hooks are created for, which may not exist yet. */
interface HookOwner {
  id: string;
  warn(message: string): void;
  current(): Session | undefined;
}

/** Loads the hooks of the settings; returns a function that creates those of the session, if there are any. */
export async function prepareHooks(
  config: Config,
  parts: EngineParts,
  { id, warn, current }: HookOwner,
): Promise<((session: Session) => SessionHooks) | undefined> {
  const hooks = await parts.createHooks(config, {
    sessionId: id,
    started: (run) => emitRun(current(), { type: "hook_started", run }),
    completed: (run) => emitRun(current(), { type: "hook_completed", run }),
    warn,
    async callMcpTool(server, tool, args, signal) {
      const call = { server, tool, arguments: args };
      const result = await current()?.parts.mcp.callTool(call, signal);
      // A text is the reason that there is no result.
      if (typeof result === "object") return result;
      throw new Error(result ?? `the session with the MCP server "${server}" has ended`);
    },
    now: parts.clock.now,
  });
  if (hooks === undefined) return undefined;
  const { SessionHooks } = await import("./hooks/session-hooks.js");
  return (session) => new SessionHooks(session, hooks);
}

/** Emits the start or end of a hook. The end of a session is reported only if its hook fails. */
function emitRun(session: Session | undefined, msg: HookStartedEvent | HookCompletedEvent): void {
  if (msg.run.event_name === "session_end" && msg.run.status !== "failed") return;
  session?.emit(session.task?.id ?? "", msg);
}
