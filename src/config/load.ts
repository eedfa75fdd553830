import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookSource, HookStates } from "../protocol/hook-source.js";
import { type EffectiveLayer, placeOfWinner, toEffectiveLayers } from "./layers/effective.js";
import { codexHome, type Environment, systemFolder, userHome } from "./layers/home.js";
import { type ConfigLayer, fileOf, mergeTables } from "./layers/layer.js";
import type { Override } from "./layers/overrides.js";
import { readProfile } from "./layers/profile.js";
import { type ReadLayers, readLayers } from "./layers/read-layers.js";
import { findUnenforced, type Unenforced } from "./layers/unenforced.js";
import type { TrustLevel } from "./project/trust.js";
import type { Config, ResolveContext, Settings } from "./resolve/config.js";
import { resolveInterface } from "./resolve/interface.js";
import { resolveModel } from "./resolve/model.js";
import { resolvePolicies } from "./resolve/policies.js";
import { resolveTools } from "./resolve/tools.js";
import { type ConfigBehavior, configBehaviors } from "./schema/behavior.js";
import type { ConfigToml } from "./schema/config-toml.js";
import { defaults } from "./schema/defaults.generated.js";

/** Sources of the config. */
export interface ConfigSources {
  env: Environment;
  cwd: string;
  /** Overrides of the command line, `-c key=value`. */
  flags?: readonly Override[];
  /** Values by dotted key; they override all files of the user. */
  overrides?: Readonly<Record<string, unknown>>;
  /** Additional writable directories of this session. */
  writableRoots?: readonly string[];
  /** Dialect of a version of the reference; default: our own. */
  behavior?: ConfigBehavior;
  /** Directory of system-wide files; default: `/etc/codex`. */
  systemFolder?: string;
  /** Reads no files, to continue with defaults after an error. */
  ignoreFiles?: boolean;
  /** Skips the user's config.toml. */
  ignoreUserFile?: boolean;
}

/** Loads and resolves the config. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { env, cwd } = sources;
  const home = codexHome(env);
  const read = await readConfigLayers(sources);
  const behavior = sources.behavior ?? configBehaviors.current;
  const profile = await readProfile(read, home, behavior);
  const { layers, warnings: refused } = toEffectiveLayers(read, profile, {
    cwd,
    userHome: userHome(env),
    projectProfiles: behavior.projectProfiles,
  });
  const values = mergeTables(layers.map((layer) => layer.values)) as ConfigToml;
  const warnings = [...read.warnings, ...refused];
  const context: ResolveContext = {
    env,
    home,
    behavior,
    trust: read.trust,
    writableRoots: sources.writableRoots ?? [],
    ownValues: mergeTables(layers.filter(isOwn).map((layer) => layer.values)) as ConfigToml,
    placeOf: (path) => placeOfWinner(layers, path),
    warn: (message) => warnings.push(message),
  };
  return {
    settings: { ...defaults.ConfigToml, ...values } as Settings,
    home,
    cwd,
    profile: profile?.name,
    trust_level: read.trust,
    projects: trustByPath(values),
    project_root_markers: values.project_root_markers ?? defaults.ConfigToml.project_root_markers,
    ...(await resolveModel(values, context)),
    ...resolvePolicies(values, context),
    ...resolveTools(values, context),
    ...resolveInterface(values, context),
    warnings,
    unenforced: await unenforcedIn(read, sources),
    ...(await hooksIn(layers.map(({ layer }) => layer))),
    ignored: [...read.ignored, ...(profile?.ignored ?? [])],
    layers: layers.map(({ layer }) => layer),
  };
}

/** Finds hooks. The reader is only loaded if there are any. */
async function hooksIn(
  all: readonly ConfigLayer[],
): Promise<{ hooks: readonly HookSource[]; hook_states: HookStates }> {
  const own = all.filter(({ source }) => source.type !== "project");
  const layers = all.filter(({ source, isTrusted }) => source.type !== "project" || isTrusted);
  const hasHooks = layers.some(({ source, values }) => {
    const file = fileOf(source);
    if (values.hooks !== undefined) return true;
    return file !== undefined && existsSync(join(dirname(file), "hooks.json"));
  });
  // Only the user and the system may disable hooks.
  if (!hasHooks || own.some(({ values }) => switchesHooksOff(values))) {
    return { hooks: [], hook_states: {} };
  }
  const { readHookSources } = await import("./layers/hook-sources.js");
  const users = own.filter(({ source }) => source.type === "user");
  const states = mergeTables(users.map(({ values }) => values)).hooks as
    | { state?: HookStates }
    | undefined;
  return { hooks: readHookSources(layers), hook_states: states?.state ?? {} };
}

function switchesHooksOff({ features }: Readonly<Record<string, unknown>>): boolean {
  const { hooks, codex_hooks: older } = (features ?? {}) as Record<string, unknown>;
  return hooks === false || older === false;
}

async function unenforcedIn(read: ReadLayers, sources: ConfigSources): Promise<Unenforced[]> {
  const { env } = sources;
  const folders = {
    home: codexHome(env),
    systemFolder: sources.systemFolder ?? systemFolder(env),
  };
  return findUnenforced({ layers: read.layers, ...folders });
}

/** Reads the layers without applying profile and defaults; without `cwd` no project files are read. */
export function readConfigLayers(
  sources: Omit<ConfigSources, "cwd"> & { cwd?: string | undefined },
): Promise<ReadLayers> {
  return readLayers({
    home: codexHome(sources.env),
    cwd: sources.cwd,
    systemFolder: sources.systemFolder ?? systemFolder(sources.env),
    flags: sources.flags ?? [],
    overrides: sources.overrides ?? {},
    ignoreFiles: sources.ignoreFiles ?? false,
    ignoreUserFile: sources.ignoreUserFile ?? false,
  });
}

function isOwn({ layer }: EffectiveLayer): boolean {
  return layer.source.type !== "project";
}

function trustByPath({ projects = {} }: ConfigToml): Map<string, TrustLevel> {
  const entries = Object.entries(projects).flatMap(
    ([path, { trust_level }]): [string, TrustLevel][] =>
      trust_level === undefined ? [] : [[path, trust_level]],
  );
  return new Map(entries);
}
