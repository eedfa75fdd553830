import { homedir } from "node:os";
import { join } from "node:path";
import type { AuthSource, GivenTokens } from "../../auth/index.js";
import { type Era, type EraName, eraOf, rpcEra } from "../../compat/index.js";
import {
  type Config,
  type ConfigSources,
  codexHome,
  configBehaviors,
  type Environment,
  type Override,
} from "../../config/index.js";
import { LoginShells, runCommand, type TerminalHost } from "../../exec/index.js";
import { type Lazy, lazy } from "../../lib/async.js";
import { type Clock, systemClock } from "../../lib/clock.js";
import { createUuidSource } from "../../lib/ids.js";
import type { McpServerPool } from "../../mcp/index.js";
import {
  type Cassette,
  HttpTransport,
  type ModelClient,
  readSystemInfo,
} from "../../model/index.js";
import type { OpenBuffers } from "../../patch/index.js";
import { homeSecrets } from "../../protocol/home-secrets.js";
import { createSandbox, type Sandbox } from "../../sandbox/index.js";
import type { SessionObservers, Tracing } from "../../telemetry/index.js";
import type { SettingsFollower, WrapQueues } from "../parts.js";
import type { OpenLog } from "../session-log.js";
import type { LocalHookOptions } from "./hooks.js";
import { createMcpPool } from "./mcp.js";
import {
  type ClientName,
  createModel,
  type HostProgram,
  localAuthSource,
  localUserAgent,
} from "./model.js";

/** Options for an engine that works on this machine. */
export interface LocalOptions {
  /** The environment of the engine and of its commands; usually `process.env`. */
  env: Environment;
  /** Working directory of sessions that do not set one. */
  cwd: string;
  /** The version of Codex to behave like; `current` is the default. */
  era?: EraName | Era | undefined;
  /** The protocol that clients speak, for the details in which an era differs: `queues` is the default. */
  surface?: "queues" | "json-rpc";
  /** The API key of every request to OpenAI's servers, in place of any stored login. */
  apiKey?: string | undefined;
  /** Settings of the command line, for all sessions. */
  flags?: readonly Override[];
  /** If true, sessions do not read the user's config.toml. */
  ignoresUserConfig?: boolean;
  /** Directory of system-wide files; default: `/etc/codex`. */
  systemFolder?: string | undefined;
  /** The program that embeds the engine and is its only client. */
  host?: HostProgram;
  /** Functions of the program that embeds the engine, and the trust in hooks of files. */
  hooks?: LocalHookOptions;
  /** Telemetry of several engines; the caller closes it. */
  telemetry?: LocalTelemetry;
  /** Files that confined commands must not read, besides the credentials in the home: tokens of a listener. */
  secretFiles?: readonly string[];
  /** The model of all sessions, in place of the provider of the settings; closed with the engine. */
  model?: ModelClient | undefined;
  /** Records or replays the traffic with the model; closed with the engine. */
  cassette?: Cassette | undefined;
  /** Creates the logs of new threads, in place of files; such threads cannot be resumed by id. */
  openLog?: OpenLog | undefined;
  /** Replaces the queue pair of each thread of a server. */
  wrapQueues?: WrapQueues | undefined;
  /** Time and timers; those of the system by default. */
  clock?: Clock | undefined;
  /** Returns the editor that has the files of a thread open, if there is one. */
  buffers?: ((threadId: string) => OpenBuffers | undefined) | undefined;
  /** Returns the editor that runs commands of a thread in its terminals, if there is one. */
  terminals?: ((threadId: string) => TerminalHost | undefined) | undefined;
}

/** Telemetry of the sessions of a process; nothing is loaded unless the settings enable it. */
export interface LocalTelemetry {
  /** Access to the running spans; empty unless telemetry is on. */
  readonly tracing: Tracing;
  /** Observers of the sessions. */
  readonly observers: Lazy<Promise<SessionObservers>>;
  /** Returns true if the settings may enable it. Variables alone enable none in the reference. */
  mayExport(config: Config): boolean;
  /** Exports what is pending within a short time. */
  close(): Promise<void>;
}

/** Resources of this machine that the engines of a process and their server share. */
export interface Machine {
  /** The environment of the engine. */
  readonly env: Environment;
  /** Working directory of sessions that do not set one. */
  readonly cwd: string;
  /** The version of Codex to behave like. */
  readonly era: Era;
  /** Time and timers. */
  readonly clock: Clock;
  /** Returns a new unique id. */
  newId(): string;
  /** The sandbox of this machine. */
  readonly sandbox: Sandbox;
  /** The program that embeds the engine; `undefined` for a server. */
  readonly program: HostProgram | undefined;
  /** Hooks of the program that embeds the engine. */
  readonly hooks: LocalHookOptions;
  /** Returns the editor that has the files of a thread open, if there is one. */
  readonly buffers: LocalOptions["buffers"];
  /** Returns the editor that runs commands of a thread in its terminals, if there is one. */
  readonly terminals: LocalOptions["terminals"];
  /** Creates the logs of new threads, in place of files. */
  readonly openLog: OpenLog | undefined;
  /** Replaces the queue pair of each thread. */
  readonly wrapQueues: WrapQueues | undefined;
  /** Sources of settings besides the working directory. */
  readonly settings: Omit<ConfigSources, "cwd">;
  /** Login shells of the user, by sandbox policy. */
  readonly loginShells: Lazy<LoginShells>;
  /** MCP servers; sessions with equal servers share them. */
  readonly mcpPool: Lazy<McpServerPool>;
  /** Spans and metrics of all sessions. */
  readonly telemetry: LocalTelemetry;
  /** Tokens that a client provides in place of the stored login. */
  readonly givenTokens: Lazy<Promise<GivenTokens>>;
  /** Returns the source of credentials for requests to the model. */
  authSource(config: Config): Promise<AuthSource>;
  /** `client` is the program that connected, once it has initialized. */
  createModel(config: Config, client?: ClientName): Promise<ModelClient>;
  /** Value of the `user-agent` header in requests to the model. */
  userAgent(client?: ClientName): Promise<string>;
  /** Everything to update when the settings are reloaded. */
  readonly followers: Set<SettingsFollower>;
  /** Incremented to let sessions read their skills again. */
  skillsVersion: number;
  /** Folders with skills that a client has added to those of the settings. */
  extraSkillRoots: readonly string[];
  /** Closes connections and processes, and removes files of the sandbox from workspaces. */
  close(): Promise<void>;
}

/** Creates the shared resources; nothing is opened or started before it is used. */
export function createMachine(options: LocalOptions): Machine {
  const { env, cwd, apiKey, host, flags = [] } = options;
  const ownEra = eraOf(options.era);
  const era = options.surface === "json-rpc" ? rpcEra(ownEra) : ownEra;
  const clock = options.clock ?? systemClock;
  const newId = createUuidSource(clock.now);
  const sandbox = createLocalSandbox(env, options.secretFiles);
  const { cassette } = options;
  const network = new HttpTransport(env);
  const transport = cassette?.attach(network, { env, home: codexHome(env), cwd }) ?? network;
  const systemInfo = lazy(readSystemInfo);
  let isClosed = false;
  const loginShells = lazy(() => {
    const shells = createLoginShells(sandbox, { clock, folder: join(stateFolder(env), "shells") });
    // A call that was cut short may ask for them when everything has ended.
    if (isClosed) void shells.close();
    return shells;
  });
  const telemetry = options.telemetry ?? createLocalTelemetry(env, era);
  const mcpPool = lazy(() => createMcpPool({ env, cwd, era, home: codexHome(env), sandbox }));
  const givenTokens = lazy(async () => {
    const { GivenTokens } = await import("../../auth/index.js");
    return new GivenTokens();
  });
  const { model } = options;
  // Sessions close their model; this one is shared.
  const given: ModelClient | undefined = model && {
    stream: (prompt, signal) => model.stream(prompt, signal),
    close: () => undefined,
  };
  const authSource = (config: Config) =>
    localAuthSource(config, { env, clock, apiKey, givenTokens });
  return {
    env,
    cwd,
    era,
    clock,
    newId,
    sandbox,
    program: host,
    hooks: options.hooks ?? {},
    buffers: options.buffers,
    terminals: options.terminals,
    openLog: options.openLog,
    wrapQueues: options.wrapQueues,
    settings: {
      env,
      flags,
      behavior: configBehaviors[era.config],
      ignoreUserFile: options.ignoresUserConfig ?? false,
      ...(options.systemFolder === undefined ? {} : { systemFolder: options.systemFolder }),
    },
    loginShells,
    mcpPool,
    telemetry,
    givenTokens,
    authSource,
    async createModel(config, client) {
      if (given !== undefined) return given;
      const own = { env, era, newId, clock, transport, systemInfo, host, client, authSource };
      const parts = { ...own, replayed: cassette?.replayed };
      return createModel(config, parts);
    },
    userAgent: (client) => localUserAgent({ env, era, systemInfo, host, client }),
    followers: new Set(),
    skillsVersion: 0,
    extraSkillRoots: [],
    async close() {
      isClosed = true;
      await loginShells.created?.close();
      sandbox.close();
      transport.close();
      model?.close();
      await cassette?.close();
      await mcpPool.created?.close();
      if (options.telemetry === undefined) await telemetry.close();
    },
  };
}

/** Creates the telemetry of a process. */
export function createLocalTelemetry(env: Environment, era: Era): LocalTelemetry {
  const tracing: Tracing = {};
  const observers = lazy(async () => {
    const { SessionObservers } = await import("../../telemetry/session-observers.js");
    return new SessionObservers({ env, version: era.compatibleWith, tracing });
  });
  return {
    tracing,
    observers,
    mayExport({ settings }) {
      if (settings.otel !== undefined) return era.since["0.166"];
      return era.since.current && Object.keys(env).some((name) => name.startsWith("OTEL_"));
    },
    close: async () => (await observers.created)?.close(),
  };
}

/** Creates the sandbox of this machine; it hides the secrets of the home. */
export function createLocalSandbox(env: Environment, secretFiles: readonly string[] = []): Sandbox {
  return createSandbox({
    get hidden() {
      const secrets = Object.values(homeSecrets).map((name) => join(agentHome(env), name));
      return [...secrets, ...secretFiles];
    },
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

/** Folder of the engine's internal state; no confined command may write there. */
function stateFolder(env: Environment): string {
  return join(agentHome(env), "quire");
}

/** Creates the cache of login shells; probes run under the policy of the command they are for. */
function createLoginShells(
  sandbox: Sandbox,
  options: { clock: Clock; folder: string },
): LoginShells {
  return new LoginShells({
    ...options,
    async run(command, signal) {
      const launch = await sandbox.prepare(command);
      if (launch instanceof Error) return undefined;
      const { exitCode, stdout, failure } = await runCommand({ launch, graceMs }, signal);
      return exitCode === 0 && failure === undefined ? stdout : undefined;
    },
  });
}

/** A probe loses nothing when killed, so the grace period is short. */
const graceMs = 100;
