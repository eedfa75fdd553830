import { homedir } from "node:os";
import { join } from "node:path";
import type { AuthSource, GivenTokens } from "../../auth/index.js";
import { type Era, type EraName, eraOf, rpcEra } from "../../compat/index.js";
import {
  type Config,
  codexHome,
  configDialects,
  type Environment,
  loadConfig,
  mayBring,
  type Override,
  type ReadLayers,
  readConfigLayers,
  trustLevelOf,
} from "../../config/index.js";
import type { LiveCommand, LoginShells } from "../../exec/index.js";
import { systemClock } from "../../lib/clock.js";
import { createUuidSource } from "../../lib/uuid.js";
import type { McpServerPool } from "../../mcp/index.js";
import {
  HttpTransport,
  type ModelClient,
  type ModelPreset,
  originatorOf,
  readSystemInfo,
  type SystemInfo,
} from "../../model/index.js";
import { SkillCatalogue, type SkillsRefusal } from "../../project/index.js";
import { homeSecrets } from "../../protocol/home-secrets.js";
import type { ConfigureSessionOp, EventMsg } from "../../protocol/types.js";
import {
  RolloutRecorder,
  readConversation,
  rolloutPath,
  writerLockPath,
} from "../../rollout/index.js";
import { createSandbox, type Sandbox } from "../../sandbox/index.js";
import type { EngineParts } from "../engine-parts.js";
import type { SettingsFollower } from "../follow-settings.js";
import { localAuthSource } from "./auth-source.js";
import { type LiveRequest, startLive } from "./live-command.js";
import { createLoginShells } from "./login-shells.js";
import type { McpDesk } from "./mcp-desk.js";
import { type ClientName, createModel, type HostProgram, localUserAgent } from "./model.js";
import { type OneOffCommand, type OneOffResult, runOneOff } from "./one-off.js";
import { SessionMcp } from "./session-mcp.js";
import { createLocalShell, createTools } from "./tools.js";
import { userShellName } from "./user-shell.js";

/** Options for an engine that works on this machine. */
export interface LocalOptions {
  /** The environment of the engine and of its commands; usually `process.env`. */
  env: Environment;
  /** The folder of sessions that name none. */
  cwd: string;
  /** The version of Codex to behave like; `current` is the default. */
  era?: EraName | Era | undefined;
  /** The protocol that clients speak, for the details in which an era differs: `queues` is the default. */
  surface?: "queues" | "json-rpc";
  /** The API key of every request to OpenAI's servers, in place of any stored login. */
  apiKey?: string | undefined;
  /** Settings of the command line, for all sessions. */
  flags?: readonly Override[];
  /** Sessions do not read the user's config.toml. */
  ignoresUserConfig?: boolean;
  /** The program that the engine is a part of, when it serves nobody else. */
  host?: HostProgram;
  /** Files that confined commands must not read, besides the sign-ins of the home: tokens of a listener. */
  secretFiles?: readonly string[];
}

/** The parts of an engine that works on this machine, and what they share. */
export interface LocalParts extends EngineParts {
  readonly sandbox: Sandbox;
  readonly env: Environment;
  readonly host: HostProgram | undefined;
  /** The settings without those of any file, to go on when one has a mistake. */
  loadDefaults(): Promise<Config>;
  /** Each source of settings by itself; without a folder no project is looked for. */
  readConfigLayers(cwd?: string): Promise<ReadLayers>;
  /** `client` is the program that drives us, once it has introduced itself. */
  createModel(config: Config, client?: ClientName): Promise<ModelClient>;
  /** Returns what requests to the model are signed with. */
  authSource(config: Config): Promise<AuthSource>;
  /** Tokens that a client brings along, in place of the stored login. */
  givenTokens(): Promise<GivenTokens>;
  /** What we call ourselves towards the model's server. */
  userAgent(client?: ClientName): Promise<string>;
  /** The models that users are offered, and what to say of their efforts. */
  modelPresets(): Promise<{
    models: readonly ModelPreset[];
    describeEffort(effort: string): string;
  }>;
  /** Runs a command outside of any session, without asking. */
  runOneOff(command: OneOffCommand, signal?: AbortSignal): Promise<OneOffResult>;
  /** Starts a command outside of any session that is watched and talked to, without asking. */
  startLive(command: LiveRequest): Promise<LiveCommand | string>;
  /** What clients do with MCP servers by themselves. */
  mcpDesk(): Promise<McpDesk>;
  /**
   * Lets all sessions go on with the MCP servers and skills that the settings name now, when they
   * are idle. Throws what is wrong with the settings; then all goes on as before.
   */
  reloadSettings(): Promise<void>;
  /** Lets sessions look for skills again when these are asked for next. */
  forgetSkills(): void;
  /** Leaves nothing behind in workspaces; for the end of the process. */
  close(): Promise<void>;
}

/** The parts of an engine that works on this machine for this user. */
export function createLocalParts(options: LocalOptions): LocalParts {
  const { env, cwd, apiKey, host, flags = [] } = options;
  const ignoreUserFile = options.ignoresUserConfig ?? false;
  const ownEra = eraOf(options.era);
  const era = options.surface === "json-rpc" ? rpcEra(ownEra) : ownEra;
  const clock = systemClock;
  const newId = createUuidSource(clock.now);
  const sandbox = createLocalSandbox(env, options.secretFiles);
  let shells: LoginShells | undefined;
  const loginShells = () => {
    shells ??= createLoginShells(sandbox, { clock, folder: join(stateFolder(env), "shells") });
    return shells;
  };
  let pool: McpServerPool | undefined;
  const transport = new HttpTransport(env);
  const mcpPool = async () => {
    const { createMcpPool } = await import("./mcp.js");
    pool ??= createMcpPool({ env, cwd, era, home: codexHome(env) });
    return pool;
  };
  const followers = new Set<SettingsFollower>();
  let skillsVersion = 0;
  let given: GivenTokens | undefined;
  let system: Promise<SystemInfo> | undefined;
  const systemInfo = () => {
    system ??= readSystemInfo();
    return system;
  };
  const givenTokens = async () => {
    const { GivenTokens } = await import("../../auth/index.js");
    given ??= new GivenTokens();
    return given;
  };
  const authSource = (config: Config) =>
    localAuthSource(config, { env, clock, apiKey, givenTokens });
  // Nobody is there to answer questions of the model in a run of \`exec\`.
  const toolParts = { env, era, sandbox, loginShells, canAnswer: host?.source !== "exec" };
  const logDialect = { dialect: { policyTag: era.engine.policyTag } };
  return {
    era,
    env,
    cwd,
    clock,
    host,
    originator: originatorOf(env, host?.originator),
    source: host?.source ?? "cli",
    sandbox,
    newId,
    get shell() {
      return userShellName();
    },
    platform: process.platform,
    loadConfig: (op) =>
      loadConfig({
        env,
        cwd: op.cwd ?? cwd,
        flags,
        overrides: overridesOf(op),
        dialect: configDialects[era.config],
        ignoreUserFile,
      }),
    loadDefaults: () =>
      loadConfig({ env, cwd, flags, dialect: configDialects[era.config], ignoreFiles: true }),
    readConfigLayers: (folder) => readConfigLayers({ env, cwd: folder, flags, ignoreUserFile }),
    readConversation: (path, until) => readConversation(path, until === undefined ? {} : { until }),
    async findResponse(responseId, home) {
      const { findResponse } = await import("../../rollout/find-response.js");
      return findResponse(responseId, home);
    },
    openLog(meta, { home, onFailure }) {
      const path = rolloutPath(home, new Date(clock.now()), meta.id);
      const lock = writerLockPath(home, meta.id);
      const log = new RolloutRecorder({ path, lock, now: clock.now, onFailure, ...logDialect });
      log.append({ type: "session_meta", payload: meta });
      return log;
    },
    resumeLog({ id, path }, { home, onFailure }) {
      const lock = writerLockPath(home, id);
      const options = { path, lock, now: clock.now, onFailure, create: "never" } as const;
      return new RolloutRecorder({ ...options, ...logDialect });
    },
    createModel: (config, client) =>
      createModel(config, { env, era, newId, transport, systemInfo, host, client, authSource }),
    authSource,
    givenTokens,
    userAgent: (client) => localUserAgent({ env, era, systemInfo, host, client }),
    async modelPresets() {
      const { describeEffort, modelPresets } = await import("../../model/presets.js");
      return { models: modelPresets(era.model.catalogue), describeEffort };
    },
    runOneOff: (command, signal) => runOneOff(command, { env, sandbox }, signal),
    startLive: (command) => startLive(command, { env, sandbox }),
    createTools: (config, { id, warn, mcp }) =>
      createTools(config, { ...toolParts, threadId: id, warn, mcp }),
    createUserShell: (config, { id, warn }) =>
      createLocalShell(config, { ...toolParts, threadId: id, warn }),
    createSkills: (config) => createSkills(config, env, () => skillsVersion),
    forgetSkills() {
      skillsVersion++;
    },
    async mcpDesk() {
      const { McpDesk } = await import("./mcp-desk.js");
      return new McpDesk({ env, cwd, era, home: codexHome(env) }, await mcpPool());
    },
    async startMcp(config, client) {
      const mcp = new SessionMcp({ era, client, pool: mcpPool });
      const start = await mcp.prepare(config);
      start();
      if (mcp.tools === undefined && era.mcp.tellsNoServers) client.tell(noneStarted);
      return mcp;
    },
    follow(follower) {
      followers.add(follower);
      return () => followers.delete(follower);
    },
    async reloadSettings() {
      const steps = await Promise.all([...followers].map((follower) => follower.prepare()));
      for (const takeUp of steps) takeUp();
    },
    async close() {
      await shells?.close();
      sandbox.close();
      transport.close();
      await pool?.close();
    },
  };
}

const noneStarted = {
  type: "mcp_startup_complete",
  ready: [],
  failed: [],
  cancelled: [],
} satisfies EventMsg;

function createSkills(config: Config, env: Environment, version: () => number): SkillCatalogue {
  const offOf = (switches: ReadonlyMap<string, boolean>) =>
    [...switches].filter(([, enabled]) => !enabled).map(([key]) => key);
  const sources = {
    home: config.home,
    userHome: env.HOME || homedir(),
    adminFolder: "/etc/codex/skills",
    rootMarkers: config.project_root_markers,
    disabledPaths: offOf(config.skills),
    disabledNames: offOf(config.skills_by_name),
    refusalOf: (folder: string) => skillsRefusal(config, folder),
  };
  return new SkillCatalogue(sources, version);
}

/** Why a project's skills are not read; undefined if they are. */
function skillsRefusal(config: Config, folder: string): SkillsRefusal | undefined {
  const level = trustLevelOf(config, folder);
  if (mayBring("skills", level)) return undefined;
  if (level === "untrusted") return {};
  const remedy = `set its trust_level in ${join(config.home, "config.toml")}`;
  return { reason: `${folder} is not a trusted project; ${remedy}` };
}

function createLocalSandbox(env: Environment, secretFiles: readonly string[] = []): Sandbox {
  const secrets = Object.values(homeSecrets).map((name) => join(agentHome(env), name));
  return createSandbox({
    hidden: [...secrets, ...secretFiles],
    platform: process.platform,
    arch: process.arch,
    env,
    userHome: env.HOME || homedir(),
    agentHome: agentHome(env),
    stateDir: stateFolder(env),
  });
}

function agentHome(env: Environment): string {
  return env.CODEX_HOME || join(env.HOME || homedir(), ".codex");
}

/** What we keep for ourselves; no confined command may write there. */
function stateFolder(env: Environment): string {
  return join(agentHome(env), "quire");
}

/** What of the op names something in the config; its plain settings win over the config anyway. */
function overridesOf(op: ConfigureSessionOp): Record<string, unknown> {
  const { config, model, model_provider, profile } = op;
  return {
    ...config,
    ...(model === undefined ? {} : { model }),
    ...(model_provider === undefined ? {} : { model_provider }),
    ...(profile === undefined ? {} : { profile }),
  };
}
