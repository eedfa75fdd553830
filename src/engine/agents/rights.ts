import { tmpdir } from "node:os";
import type { Agent } from "../../agents/index.js";
import { type AgentRole, intersectRules } from "../../config/index.js";
import type { FileRule, PermissionRules } from "../../protocol/permission-rules.js";
import {
  boundTo,
  deniedIn,
  isUnlimited,
  rulesOfPolicy,
  withDenied,
} from "../../protocol/rules-of-policy.js";
import type { TurnContext } from "../turn-context.js";

/** Folder, policies and tools of an agent. */
export interface AgentRights
  extends Pick<
    TurnContext,
    | "cwd"
    | "approval_policy"
    | "approvals_reviewer"
    | "sandbox_policy"
    | "permissions"
    | "isConfined"
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
  readonly #folders = new Map<string, string>();

  constructor(root: () => TurnContext) {
    this.#root = root;
  }

  /** Lets an agent, and those below it, work in another folder than its parent. */
  setFolder({ path }: Pick<Agent, "path">, folder: string): void {
    this.#folders.set(path, folder);
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
    const rights = narrowed(this.of(parent), this.#roles.get(path));
    const folder = this.#folders.get(path);
    return folder === undefined ? rights : movedTo(folder, rights);
  }
}

function rightsIn(context: TurnContext): AgentRights {
  const { cwd, approval_policy, approvals_reviewer, sandbox_policy } = context;
  const { permissions, isConfined } = context;
  return {
    cwd,
    approval_policy,
    approvals_reviewer,
    sandbox_policy,
    ...(permissions && { permissions }),
    ...(isConfined && { isConfined }),
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

/** Returns rights in another folder, without those to write in the one before. */
function movedTo(cwd: string, rights: AgentRights): AgentRights {
  const { sandbox_policy: policy, permissions, ...others } = rights;
  const isBefore = (path: string) => contains(path, rights.cwd) || contains(rights.cwd, path);
  const excluded = {
    exclude_slash_tmp: isBefore("/tmp"),
    exclude_tmpdir_env_var: isBefore(tmpdir()),
  };
  const kept = Object.entries(excluded).filter(([, isExcluded]) => isExcluded);
  return {
    ...others,
    cwd,
    sandbox_policy:
      policy.mode === "workspace-write"
        ? { ...policy, writable_roots: [], ...Object.fromEntries(kept) }
        : policy,
    ...(permissions && {
      permissions: stillDenied(permissions, rights.cwd, withoutWriting(permissions, isBefore)),
    }),
  };
}

/** Adds to the rules for another folder what is denied in the workspace roots before. */
function stillDenied(before: PermissionRules, cwd: string, rules: PermissionRules) {
  const denied = deniedIn(before);
  return withDenied(rules, [...denied, ...boundTo([cwd], denied)]);
}

/** Returns rules under which places that fit can only be read. */
function withoutWriting(rules: PermissionRules, fits: (path: string) => boolean): PermissionRules {
  const temporary = { tmpdir: tmpdir(), slash_tmp: "/tmp" };
  const files = rules.files.map((rule): FileRule => {
    const { place, access } = rule;
    if (access !== "write" || place.type === "glob") return rule;
    const path =
      place.type === "path" ? place.path : temporary[place.name as keyof typeof temporary];
    return path !== undefined && fits(path) ? { ...rule, access: "read" } : rule;
  });
  return { ...rules, files, workspaceRoots: [] };
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);
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
