import type { AuthSource, GivenTokens } from "../auth/index.js";
import {
  type Config,
  codexHome,
  type Environment,
  loadConfig,
  loadRequirements,
  type ReadLayers,
  type Requirements,
  readConfigLayers,
} from "../config/index.js";
import type { ClientName, EngineParts, HostProgram, LocalParts } from "../engine/index.js";
import type { LiveCommand } from "../exec/index.js";
import type { ModelClient, ModelPreset } from "../model/index.js";
import {
  type LiveRequest,
  type OneOffCommand,
  type OneOffResult,
  runOneOff,
  startLive,
} from "./client-commands.js";
import type { McpDesk } from "./mcp-desk.js";

/** Parts of the engines that a server runs, and what it offers its clients besides. */
export interface Host extends EngineParts {
  /** The environment of the server. */
  readonly env: Environment;
  /** The program that embeds the server; `undefined` if clients connect from outside. */
  readonly program: HostProgram | undefined;
  /** `client` is the program that connected, once it has initialized. */
  createModel(config: Config, client?: ClientName): Promise<ModelClient>;
  /** Loads the settings without those of any file, for use when a file has a mistake. */
  loadDefaults(): Promise<Config>;
  /** Reads the requirements of the administrator; throws if they have a mistake. */
  loadRequirements(): Promise<Requirements | undefined>;
  /** Reads each source of settings separately; projects only if `cwd` is set. */
  readConfigLayers(cwd?: string): Promise<ReadLayers>;
  /** Returns the source of credentials for requests to the model. */
  authSource(config: Config): Promise<AuthSource>;
  /** Tokens that a client provides in place of the stored login. */
  givenTokens(): Promise<GivenTokens>;
  /** Value of the `user-agent` header in requests to the model. */
  userAgent(client?: ClientName): Promise<string>;
  /** Models to offer to users, and the descriptions of their efforts. */
  modelPresets(): Promise<{
    models: readonly ModelPreset[];
    describeEffort(effort: string): string;
  }>;
  /** Runs a command outside of any thread, without an approval. */
  runOneOff(command: OneOffCommand, signal?: AbortSignal): Promise<OneOffResult>;
  /** Starts a command outside of any thread, with streamed input and output, without an approval. */
  startLive(command: LiveRequest): Promise<LiveCommand | string>;
  /** Access to MCP servers outside of any turn. */
  mcpDesk(): Promise<McpDesk>;
  /**
   * Applies changed settings for MCP servers and skills to all sessions, as soon as they are idle.
   * Throws if the settings have a mistake; nothing changes then.
   */
  reloadSettings(): Promise<void>;
  /** Switches features that no file and no option sets, for settings that are loaded from now on. */
  switchFeatures(states: Readonly<Record<string, boolean>>): void;
  /** Makes sessions read their skills again on next use. */
  forgetSkills(): void;
  /** Replaces the additional folders with skills, for all sessions. */
  setSkillRoots(roots: readonly string[]): void;
}

/** Adds the services of a server to the parts of its engines. The caller closes `parts`. */
export function createHost(parts: LocalParts): Host {
  const { machine } = parts;
  const { env, cwd, era, settings } = machine;
  return {
    ...parts,
    env,
    program: machine.program,
    loadDefaults: () => loadConfig({ ...settings, cwd, ignoreFiles: true }),
    loadRequirements: () => loadRequirements(settings),
    readConfigLayers: (folder) => readConfigLayers({ ...settings, cwd: folder }),
    authSource: machine.authSource,
    givenTokens: machine.givenTokens,
    userAgent: machine.userAgent,
    async modelPresets() {
      const { describeEffort, modelPresets } = await import("../model/presets.js");
      return { models: modelPresets(era.model.catalogue), describeEffort };
    },
    runOneOff: (command, signal) => runOneOff(command, machine, signal),
    startLive: (command) => startLive(command, machine),
    async mcpDesk() {
      const { McpDesk } = await import("./mcp-desk.js");
      return new McpDesk({ env, era, home: codexHome(env) }, machine.mcpPool());
    },
    async reloadSettings() {
      const updates = await Promise.all([...machine.followers].map((one) => one.prepare()));
      for (const apply of updates) apply();
    },
    switchFeatures(states) {
      settings.features = { ...settings.features, ...states };
    },
    forgetSkills() {
      machine.skillsVersion++;
    },
    setSkillRoots(roots) {
      machine.extraSkillRoots = roots;
    },
  };
}
