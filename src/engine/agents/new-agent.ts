import type { AgentLimits, SpawnRequest } from "../../agents/index.js";
import type { AgentRole, Config } from "../../config/index.js";
import { modelPresets } from "../../model/index.js";
import type { ConfigureSessionOp, ReasoningEffort, SandboxPolicy } from "../../protocol/types.js";
import { activeProfileOf } from "../turn-context.js";
import type { AgentSession } from "./helper-agents.js";

/** Settings in which a new agent differs from the one that starts it. */
export interface AgentSettings {
  model: string;
  effort: ReasoningEffort | undefined;
  role: AgentRole | undefined;
}

/** Reads the bounds of a tree from the settings. */
export function limitsOf({ agents }: Config): AgentLimits {
  return {
    atOnce: agents.at_once,
    depth: agents.max_depth ?? 4,
  };
}

/** Returns the settings of a new agent, or a text for the model if it asks for what there is not. */
export async function chooseModel(
  session: AgentSession,
  {
    model: asked,
    effort: askedEffort,
    role: roleName,
  }: Pick<SpawnRequest, "model" | "effort" | "role">,
): Promise<AgentSettings | string> {
  const role = roleName === undefined ? undefined : await findRole(session.config, roleName);
  if (roleName !== undefined && role === undefined) return `unknown agent_type '${roleName}'`;
  const { context } = session;
  const problem = problemOfSandbox(role, session);
  if (problem !== undefined) return problem;
  const presets = modelPresets(session.parts.era.model.catalogue);
  const model = asked ?? role?.model ?? context.model;
  if (asked !== undefined && asked !== context.model && !presets.some(({ id }) => id === asked)) {
    const shown = presets.filter(({ hidden }) => hidden !== true).slice(0, 5);
    const names = shown.map(({ id }) => id).join(", ");
    return `Unknown model \`${asked}\` for spawn_agent. Available models: ${names}`;
  }
  const efforts = presets.find(({ id }) => id === model)?.efforts;
  const wanted = askedEffort ?? role?.model_reasoning_effort;
  if (wanted !== undefined && efforts !== undefined && !efforts.includes(wanted)) {
    return `Reasoning effort \`${wanted}\` is not supported for model \`${model}\`. Supported reasoning efforts: ${efforts.join(", ")}`;
  }
  const own =
    model === context.model ? (context.effort ?? context.family.defaultEffort) : undefined;
  return { model, effort: wanted ?? own ?? "medium", role };
}

async function findRole(config: Config, name: string): Promise<AgentRole | undefined> {
  const { loadAgentRoles } = await import("../../config/agents/roles.js");
  return (await loadAgentRoles(config)).roles.get(name);
}

/**
 * Returns the op that configures a new agent: the settings of the session that starts it.
 *
 * A role can choose a model and narrow the sandbox. It cannot allow more than the session has.
 */
export function childOp(session: AgentSession, settings: AgentSettings): ConfigureSessionOp {
  const { context, parts, config } = session;
  const { approval_policy, approvals_reviewer, sandbox_policy, cwd } = context;
  const { active_permission_profile: profile } = activeProfileOf(context);
  const { role } = settings;
  const narrowed = narrowedMode(role, sandbox_policy.mode);
  const developer = [config.developer_instructions, role?.developer_instructions]
    .filter((text) => text !== undefined)
    .join("\n\n");
  return {
    type: "configure_session",
    ...(parts.startedBy.config === undefined ? {} : { config: parts.startedBy.config }),
    cwd,
    model: settings.model,
    model_provider: parts.provider.id,
    ...(settings.effort === undefined ? {} : { model_reasoning_effort: settings.effort }),
    approval_policy,
    approvals_reviewer,
    ...(profile === undefined
      ? { sandbox_policy: narrowed === undefined ? sandbox_policy : { mode: narrowed } }
      : { active_permission_profile: narrowed === undefined ? profile : builtIn[narrowed] }),
    ...(config.base_instructions === undefined ? {} : { instructions: config.base_instructions }),
    ...(developer === "" ? {} : withDeveloperInstructions(parts.startedBy, developer)),
    can_answer_questions: config.can_answer_questions,
  };
}

/** Returns the mode of a role if it allows less than that of the agent that starts it. */
function narrowedMode(
  role: AgentRole | undefined,
  mode: SandboxPolicy["mode"],
): AgentRole["sandbox_mode"] {
  const wanted = role?.sandbox_mode;
  const isNarrower =
    (wanted === "read-only" && mode !== "read-only") ||
    (wanted === "workspace-write" && mode === "danger-full-access");
  return isNarrower ? wanted : undefined;
}

const builtIn = { "read-only": { id: ":read-only" }, "workspace-write": { id: ":workspace" } };

/** A profile of the user may deny files that the modes of roles can read. */
function problemOfSandbox(
  role: AgentRole | undefined,
  { context }: Pick<AgentSession, "context">,
): string | undefined {
  const profile = activeProfileOf(context).active_permission_profile?.id;
  if (role === undefined || profile === undefined || profile.startsWith(":")) return undefined;
  const mode = narrowedMode(role, context.sandbox_policy.mode);
  if (mode === undefined) return undefined;
  return `agent_type '${role.name}' has sandbox_mode "${mode}", which cannot be combined with the permission profile "${profile}"`;
}

function withDeveloperInstructions({ config }: ConfigureSessionOp, developer: string) {
  return { config: { ...config, developer_instructions: developer } };
}
