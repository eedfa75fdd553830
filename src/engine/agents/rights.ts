import type { Agent } from "../../agents/index.js";
import { type AgentRole, intersectRules } from "../../config/index.js";
import { isUnlimited, rulesOfPolicy } from "../../protocol/rules-of-policy.js";
import type { TurnContext } from "../turn-context.js";

/** Folder, policies and tools of an agent. */
export interface AgentRights
  extends Pick<
    TurnContext,
    "cwd" | "approval_policy" | "approvals_reviewer" | "sandbox_policy" | "permissions"
  > {
  /** Lists of tools; it may use those that are in all of them. */
  tools: readonly (readonly string[])[];
}

/**
 * Rights of all agents of a conversation.
 *
 * An agent has those of its parent, narrowed by its role; the root has those of the user's conversation.
 * They are computed when they are needed, so that a later change for the root holds for all.
 */
export class TreeRights {
  readonly #root: () => TurnContext;
  /** By path, because an agent may be loaded again. */
  readonly #roles = new Map<string, AgentRole | undefined>();

  constructor(root: () => TurnContext) {
    this.#root = root;
  }

  setRole({ path }: Agent, role: AgentRole | undefined): void {
    this.#roles.set(path, role);
  }

  /** Returns the agents, from one up to the root, whose roles are not set: those of a recorded conversation. */
  unknownFrom(agent: Agent): Agent[] {
    if (agent.parent === undefined) return [];
    const above = this.unknownFrom(agent.parent);
    return this.#roles.has(agent.path) ? above : [agent, ...above];
  }

  /** Returns the rights of an agent; the roles of it and of all agents above it must be set. */
  of({ parent, path }: Agent): AgentRights {
    if (parent === undefined) return rightsIn(this.#root());
    return narrowed(this.of(parent), this.#roles.get(path));
  }
}

function rightsIn(context: TurnContext): AgentRights {
  const { cwd, approval_policy, approvals_reviewer, sandbox_policy, permissions } = context;
  return {
    cwd,
    approval_policy,
    approvals_reviewer,
    sandbox_policy,
    ...(permissions && { permissions }),
    tools: [],
  };
}

/** Returns rights without those that a role excludes. */
function narrowed(rights: AgentRights, role: AgentRole | undefined): AgentRights {
  if (role === undefined) return rights;
  const tools = role.tools === undefined ? rights.tools : [...rights.tools, role.tools];
  const mode = narrowedMode(role, rights);
  if (mode === undefined) return { ...rights, tools };
  const { permissions, ...others } = rights;
  const policy = { ...others, tools, sandbox_policy: { mode } };
  if (permissions === undefined) return policy;
  const {
    id,
    extends: _,
    ...rules
  } = intersectRules(rulesOfPolicy({ mode }), permissions, {
    cwd: rights.cwd,
    tmpdir: undefined,
  });
  // A profile of the user keeps its rules, but is no longer what its name says.
  const named = id?.startsWith(":") === true ? { id: builtIn[mode] } : {};
  return { ...policy, permissions: { ...rules, ...named } };
}

const builtIn = { "read-only": ":read-only", "workspace-write": ":workspace" };

/** Returns the mode of a role if it allows less than the rights do. */
function narrowedMode(
  { sandbox_mode: wanted }: AgentRole,
  { sandbox_policy: { mode }, permissions }: AgentRights,
): AgentRole["sandbox_mode"] {
  const isOpen = mode === "danger-full-access" || isUnlimited(permissions);
  const isNarrower =
    (wanted === "read-only" && (mode !== "read-only" || permissions !== undefined)) ||
    (wanted === "workspace-write" && isOpen);
  return isNarrower ? wanted : undefined;
}
