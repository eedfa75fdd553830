import type { AgentLimits, SpawnRequest } from "../../agents/index.js";
import type { AgentRole, Config } from "../../config/index.js";
import { modelPresets, presetOf } from "../../model/index.js";
import type { ConfigureSessionOp, ReasoningEffort } from "../../protocol/types.js";
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
  const presets = modelPresets(session.parts.era.model.catalogue);
  const model = asked ?? role?.model ?? context.model;
  if (asked !== undefined && asked !== context.model && !presets.some(({ id }) => id === asked)) {
    const shown = presets.filter(({ hidden }) => hidden !== true).slice(0, 5);
    const names = shown.map(({ id }) => id).join(", ");
    return `Unknown model \`${asked}\` for spawn_agent. Available models: ${names}`;
  }
  const efforts = presetOf(model, session.parts.era.model.catalogue)?.efforts;
  const wanted = askedEffort ?? role?.model_reasoning_effort;
  if (wanted !== undefined && efforts !== undefined && !efforts.includes(wanted)) {
    return `Reasoning effort \`${wanted}\` is not supported for model \`${model}\`. Supported reasoning efforts: ${efforts.join(", ")}`;
  }
  const own =
    model === context.model ? (context.effort ?? context.family.defaultEffort) : undefined;
  return { model, effort: wanted ?? own ?? "medium", role };
}

/** Loads a role of the settings; undefined if there is none with this name. */
export async function findRole(config: Config, name: string): Promise<AgentRole | undefined> {
  const { loadAgentRoles } = await import("../../config/agents/roles.js");
  return (await loadAgentRoles(config)).roles.get(name);
}

/**
 * Returns the op that configures a new agent: the settings of the session that starts it.
 *
 * They are loaded as for that session, so that the same hooks and rules hold; the folder in which the agent
 * works is one of its rights.
 */
export function childOp(
  session: AgentSession,
  { model, effort, role }: AgentSettings,
): ConfigureSessionOp {
  const { parts, config, context } = session;
  const { startedBy, agent } = parts;
  const developer = [config.developer_instructions, role?.developer_instructions]
    .filter((text) => text !== undefined)
    .join("\n\n");
  const { approval_policy, approvals_reviewer, sandbox_policy } = context;
  const { active_permission_profile: profile } = activeProfileOf(context);
  return {
    type: "configure_session",
    ...inherited(startedBy),
    cwd: agent === undefined ? config.cwd : (startedBy.cwd ?? config.cwd),
    model,
    model_provider: parts.provider.id,
    ...(effort === undefined ? {} : { model_reasoning_effort: effort }),
    approval_policy,
    approvals_reviewer,
    ...(profile === undefined ? { sandbox_policy } : { active_permission_profile: profile }),
    ...(config.base_instructions === undefined ? {} : { instructions: config.base_instructions }),
    ...(developer === "" ? {} : withDeveloperInstructions(startedBy, developer)),
    can_answer_questions: config.can_answer_questions,
  };
}

/** Fields of an op that apply to the agents of its session as well. */
function inherited(op: ConfigureSessionOp): Partial<ConfigureSessionOp> {
  const fields = [
    "config",
    "profile",
    "user_instructions",
    "include_plan_tool",
    "include_apply_patch_tool",
    "ephemeral",
  ] as const;
  const set = fields.filter((name) => op[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, op[name]]));
}

function withDeveloperInstructions({ config }: ConfigureSessionOp, developer: string) {
  return { config: { ...config, developer_instructions: developer } };
}
