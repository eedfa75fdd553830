import { homedir } from "node:os";
import { join } from "node:path";
import {
  type Config,
  type ConfigSources,
  loadConfig,
  mayBring,
  trustLevelOf,
} from "../../config/index.js";
import { type ModelClient, originatorOf } from "../../model/index.js";
import { SkillCatalogue, type SkillsRefusal } from "../../project/index.js";
import type { ConfigureSessionOp, EventMsg } from "../../protocol/types.js";
import {
  RolloutRecorder,
  readConversation,
  rolloutPath,
  writerLockPath,
} from "../../rollout/index.js";
import type { EngineParts } from "../parts.js";
import { createMachine, type LocalOptions, type Machine } from "./machine.js";
import { SessionMcp } from "./mcp.js";
import type { ClientName } from "./model.js";
import { createLocalShell, createTools } from "./tools.js";
import { userShellName } from "./user-shell.js";

/** Parts of an engine that works on this machine, and the resources to close when it has ended. */
export interface LocalParts extends EngineParts {
  /** The resources that all sessions share. */
  readonly machine: Machine;
  /** `client` is the program that connected, once it has initialized. */
  createModel(config: Config, client?: ClientName): Promise<ModelClient>;
  /** Closes the machine's resources; call it once the engines have ended. */
  close(): Promise<void>;
}

/** Creates the parts of an engine that works on this machine for this user. */
export function createLocalParts(options: LocalOptions): LocalParts {
  const machine = createMachine(options);
  const { createModel, close } = machine;
  return Object.assign(createEngineParts(machine), { machine, createModel, close });
}

/** Creates everything an engine needs; engines with the same machine share its resources. */
function createEngineParts(machine: Machine): EngineParts {
  const { env, cwd, era, clock, sandbox, loginShells, program, buffers, terminals } = machine;
  const { tracing } = machine.telemetry;
  // A run of `exec` has no user who could answer questions of the model.
  const canAnswer = program?.source !== "exec";
  const toolParts = { env, era, sandbox, loginShells, tracing, buffers, terminals, canAnswer };
  return {
    era,
    cwd,
    clock,
    newId: machine.newId,
    originator: originatorOf(env, program?.originator),
    source: program?.source ?? "cli",
    get shell() {
      return userShellName();
    },
    platform: process.platform,
    env,
    isolate: (program) => sandbox.isolate(program),
    worktrees: {
      use({ cwd: path, home }) {
        if (!path.startsWith(join(home, "worktrees"))) return undefined;
        return import("../../project/kept-worktrees.js").then(({ useWorktree }) =>
          useWorktree({ path }),
        );
      },
      async create({ cwd, home, sandbox_policy }, name) {
        const { createWorktree, hasWork, removeIfClean } = await import(
          "../../project/worktree.js"
        );
        const writableRoots =
          sandbox_policy.mode === "workspace-write" ? (sandbox_policy.writable_roots ?? []) : [];
        const place = { cwd, env, home, writableRoots };
        const created = await createWorktree(place, name);
        return {
          ...created,
          hasWork: () => hasWork(created, place),
          removeIfClean: () => removeIfClean(created, place),
        };
      },
    },
    readGuard: (policy, directory) => sandbox.readGuard(policy, directory),
    loadConfig: (op) =>
      loadConfig({
        ...machine.settings,
        cwd: op.cwd ?? cwd,
        overrides: overridesOf(op),
        policies: policiesOf(op),
      }),
    ...createLogs(machine),
    ...(machine.openLog === undefined ? {} : { openLog: machine.openLog }),
    ...(machine.wrapQueues === undefined ? {} : { wrapQueues: machine.wrapQueues }),
    createModel: machine.createModel,
    createTools: (config, { id, ...services }) =>
      createTools(config, { ...toolParts, ...services, threadId: id }),
    createUserShell: (config, { id, warn }) =>
      createLocalShell(config, { ...toolParts, threadId: id, warn }),
    createSkills: (config) => createSkills(config, machine),
    async createHooks(config, services) {
      const { functions } = machine.hooks;
      const { hooks, hook_states } = config;
      const hasNone = hooks.length === 0 && Object.keys(hook_states).length === 0;
      if (hasNone && functions === undefined) return undefined;
      const { createLocalHooks } = await import("./hooks.js");
      return createLocalHooks(config, services, { ...machine.hooks, env });
    },
    async startMcp(config, client) {
      const mcp = new SessionMcp({ era, client, pool: machine.mcpPool, tracing });
      const start = await mcp.prepare(config);
      start();
      if (mcp.tools === undefined && era.mcp.startupEventWithoutServers) client.emit(noneStarted);
      return mcp;
    },
    async observe(config, session) {
      if (!machine.telemetry.mayExport(config)) return undefined;
      return (await machine.telemetry.observers()).observe(config, session);
    },
    async startAgent(op, agent, onEvent, parts) {
      const { runAgent } = await import("../agents/run-agent.js");
      return runAgent(parts, op, agent, onEvent);
    },
    follow(follower) {
      machine.followers.add(follower);
      return () => machine.followers.delete(follower);
    },
  };
}

const noneStarted = {
  type: "mcp_startup_complete",
  ready: [],
  failed: [],
  cancelled: [],
} satisfies EventMsg;

type Logs = "readConversation" | "findResponse" | "openLog" | "resumeLog";

/** Logs in rollout files of the user's home. */
function createLogs({ clock: { now }, era }: Machine): Pick<EngineParts, Logs> {
  const common = { now, behavior: { policyTag: era.engine.policyTag } };
  return {
    readConversation: (path, until) => readConversation(path, until === undefined ? {} : { until }),
    async findResponse(responseId, home) {
      const { findResponse } = await import("../../rollout/find-response.js");
      return findResponse(responseId, home);
    },
    openLog(meta, { home, onFailure }) {
      const path = rolloutPath(home, new Date(now()), meta.id);
      const lock = writerLockPath(home, meta.id);
      const log = new RolloutRecorder({ ...common, path, lock, onFailure });
      log.append({ type: "session_meta", payload: meta });
      return log;
    },
    resumeLog({ id, path }, { home, onFailure }) {
      const lock = writerLockPath(home, id);
      return new RolloutRecorder({ ...common, path, lock, onFailure, create: "never" });
    },
  };
}

function createSkills(config: Config, machine: Machine): SkillCatalogue {
  const offOf = (switches: ReadonlyMap<string, boolean>) =>
    [...switches].filter(([, enabled]) => !enabled).map(([key]) => key);
  const sources = {
    home: config.home,
    userHome: machine.env.HOME || homedir(),
    extraRoots: () => machine.extraSkillRoots,
    adminFolder: "/etc/codex/skills",
    rootMarkers: config.project_root_markers,
    disabledPaths: offOf(config.skills),
    disabledNames: offOf(config.skills_by_name),
    refusalOf: (folder: string) => skillsRefusal(config, folder),
  };
  return new SkillCatalogue(sources, () => machine.skillsVersion);
}

/** Reason for not reading a project's skills; undefined if they are read. */
function skillsRefusal(config: Config, folder: string): SkillsRefusal | undefined {
  const level = trustLevelOf(config, folder);
  if (mayBring("skills", level)) return undefined;
  if (level === "untrusted") return {};
  const remedy = `set its trust_level in ${join(config.home, "config.toml")}`;
  return { reason: `${folder} is not a trusted project; ${remedy}` };
}

/** The policies of the op; the administrator's requirements count more. */
function policiesOf(op: ConfigureSessionOp): NonNullable<ConfigSources["policies"]> {
  const { approval_policy, approvals_reviewer, sandbox_policy } = op;
  const isPolicy = sandbox_policy !== undefined && op.active_permission_profile === undefined;
  return {
    ...(approval_policy === undefined ? {} : { approval_policy }),
    ...(approvals_reviewer === undefined ? {} : { approvals_reviewer }),
    ...(isPolicy ? { sandbox_policy } : {}),
  };
}

/** Fields of the op that select something in the config; its plain settings override the config anyway. */
function overridesOf(op: ConfigureSessionOp): Record<string, unknown> {
  const { config, model, model_provider, profile, active_permission_profile: permissions } = op;
  return {
    ...config,
    ...(permissions === undefined ? {} : { default_permissions: permissions.id }),
    ...(model === undefined ? {} : { model }),
    ...(model_provider === undefined ? {} : { model_provider }),
    ...(profile === undefined ? {} : { profile }),
  };
}
