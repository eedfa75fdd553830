import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookSource, HookStates } from "../protocol/hook-source.js";
import type { SandboxMode } from "../protocol/types.js";
import {
  type EffectiveLayer,
  orderedLayers,
  placeIn,
  placeOfWinner,
  toEffectiveLayers,
} from "./layers/effective.js";
import { codexHome, type Environment, systemFolder, userHome } from "./layers/home.js";
import { type ConfigLayer, fileOf, mergeTables } from "./layers/layer.js";
import type { Override } from "./layers/overrides.js";
import { type Profile, readProfile } from "./layers/profile.js";
import { type ReadLayers, readLayers } from "./layers/read-layers.js";
import type { ChoiceContext, PermissionChoice } from "./permissions/choose.js";
import { originOfWorktree, type TrustLevel } from "./project/trust.js";
import type { Requirements } from "./requirements/requirements.js";
import type { Config, ResolveContext, Settings } from "./resolve/config.js";
import { resolveInterface } from "./resolve/interface.js";
import { resolveModel } from "./resolve/model.js";
import { resolvePolicies, withSandboxPolicy } from "./resolve/policies.js";
import { resolveTools } from "./resolve/tools.js";
import { type ConfigBehavior, configBehaviors } from "./schema/behavior.js";
import type { ConfigToml } from "./schema/config-toml.js";
import { defaults } from "./schema/defaults.generated.js";
import { valueAt } from "./toml/table.js";

/** Sources of the config. */
export interface ConfigSources {
  env: Environment;
  cwd: string;
  /** Overrides of the command line, `-c key=value`. */
  flags?: readonly Override[];
  /** Values by dotted key; they override all files of the user. */
  overrides?: Readonly<Record<string, unknown>>;
  /** State of features that no other source sets. */
  features?: Readonly<Record<string, boolean>>;
  /** Policies of this session; they override those of all files. */
  policies?: Partial<Pick<Config, "approval_policy" | "approvals_reviewer" | "sandbox_policy">>;
  /** Additional writable directories of this session. */
  writableRoots?: readonly string[];
  /** Dialect of a version of the reference; default: our own. */
  behavior?: ConfigBehavior;
  /** Directory of system-wide files; default: `/etc/codex`. */
  systemFolder?: string;
  /** Reads no files except for those of the administrator, to continue with defaults after an error. */
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
  const warnings = [...read.warnings];
  const constrained: string[] = [];
  const requirements = await requirementsOf(read, sources);
  const choice = await choosePermissions(read, profile, sources, {
    limits: requirements?.limitsPermissions ? requirements : undefined,
    warn: (text) => warnings.push(text),
    constrain: (text) => constrained.push(text),
  });
  const { layers, warnings: refused } = toEffectiveLayers(read, profile, {
    cwd,
    userHome: userHome(env),
    projectProfiles: behavior.projectProfiles,
    ownMode: choice?.ownMode,
  });
  const { features } = sources;
  const merged = mergeTables([
    ...(features === undefined ? [] : [{ features }]),
    ...layers.map((layer) => layer.values),
  ]);
  const values = mergeTables([merged, requirements?.fixedValues() ?? {}]) as ConfigToml;
  warnings.push(...refused);
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
  const policies = resolvePolicies(values, context);
  const chosen = choice?.apply(policies.sandbox_policy, modesOfProjects(layers));
  const config: Config = {
    settings: { ...defaults.ConfigToml, ...values } as Settings,
    home,
    cwd,
    profile: profile?.name,
    trust_level: read.trust,
    projects: trustByPath(values),
    project_root_markers: values.project_root_markers ?? defaults.ConfigToml.project_root_markers,
    ...(await resolveModel(values, context)),
    ...policies,
    ...chosen,
    ...resolveTools(values, context),
    ...resolveInterface(values, context),
    ...sources.policies,
    requirements: undefined,
    constrained: [],
    warnings,
    ...(await hooksIn(
      layers.map(({ layer }) => layer),
      requirements,
    )),
    ignored: [...read.ignored, ...(profile?.ignored ?? [])],
    layers: layers.map(({ layer }) => layer),
  };
  const asked = sources.policies?.sandbox_policy;
  const own = asked === undefined ? config : await withSandboxPolicy(config, asked);
  if (requirements === undefined) return own;
  const { limitConfig } = await import("./requirements/limit-config.js");
  const settled = { ...policies, ...chosen };
  return limitConfig(own, { requirements, merged, settled, constrained, userHome: userHome(env) });
}

/** Finds hooks. The reader is only loaded if there are any. */
async function hooksIn(
  all: readonly ConfigLayer[],
  requirements: Config["requirements"],
): Promise<{ hooks: readonly HookSource[]; hook_states: HookStates }> {
  const own = all.filter(({ source }) => source.type !== "project");
  const layers = all.filter(({ source, isTrusted }) => source.type !== "project" || isTrusted);
  const hasHooks = layers.some(({ source, values }) => {
    const file = fileOf(source);
    if (values.hooks !== undefined) return true;
    return file !== undefined && mayExist(join(dirname(file), "hooks.json"));
  });
  const isRequired = requirements?.values.hooks !== undefined;
  if (!hasHooks && !isRequired) return { hooks: [], hook_states: {} };
  const { readHookSources } = await import("./layers/hook-sources.js");
  const users = own.filter(({ source }) => source.type === "user");
  const states = mergeTables(users.map(({ values }) => values)).hooks as
    | { state?: HookStates }
    | undefined;
  // Only the user and the system may disable hooks, and no one those of the administrator.
  const fixed = requirements?.features.get("hooks");
  const isOff = fixed === undefined ? own.some(({ values }) => switchesHooksOff(values)) : !fixed;
  const found = readHookSources(layers).filter(({ isManaged }) => isManaged || !isOff);
  const hook_states = states?.state ?? {};
  if (requirements === undefined) return { hooks: found, hook_states };
  const { limitHooks } = await import("./requirements/hooks.js");
  return { hooks: limitHooks(found, requirements), hook_states };
}

function switchesHooksOff({ features }: Readonly<Record<string, unknown>>): boolean {
  const { hooks, codex_hooks: older } = (features ?? {}) as Record<string, unknown>;
  return hooks === false || older === false;
}

/** Reads the requirements of the administrator alone; throws if they have a mistake. */
export async function loadRequirements(
  sources: Omit<ConfigSources, "cwd">,
): Promise<Config["requirements"]> {
  return requirementsOf(await readConfigLayers({ ...sources, ignoreFiles: true }), sources);
}

/** Loads nothing if there are no requirements. */
async function requirementsOf(read: ReadLayers, sources: Omit<ConfigSources, "cwd">) {
  const folder = sources.systemFolder ?? systemFolder(sources.env);
  const managed = read.layers.find(isManaged);
  const isThere = mayExist(join(folder, "requirements.toml"));
  if (!isThere && managed === undefined) return undefined;
  const { readRequirements } = await import("./requirements/read.js");
  return readRequirements({ folder, isThere, managed });
}

/** Returns false only for a missing file: not for one that is unreadable or a link without a target. */
function mayExist(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isManaged({ source }: ReadLayers["layers"][number]): boolean {
  return source.type === "legacyManagedConfigTomlFromFile";
}

/**
 * Selects the permission profile; undefined if no source has one, so that the code for profiles is
 * loaded only with them.
 */
async function choosePermissions(
  read: ReadLayers,
  profile: Profile | undefined,
  { env, cwd, writableRoots = [] }: ConfigSources,
  {
    limits,
    ...reports
  }: Pick<ChoiceContext, "warn" | "constrain"> & {
    limits: Requirements | undefined;
  },
): Promise<PermissionChoice | undefined> {
  const ordered = orderedLayers(read, profile);
  const named = ordered.some(
    ({ layer: { values } }) => (values.default_permissions ?? values.permissions) !== undefined,
  );
  if (!named && limits === undefined) return undefined;
  const { PermissionChoice } = await import("./permissions/choose.js");
  const winner = (path: readonly string[]) =>
    ordered.findLast(({ layer }) => valueAt(layer.values, path) !== undefined);
  const sources = ordered.flatMap(({ layer: { source, values } }) => {
    const parts = source.type === "sessionFlags" ? read.given : [values];
    return parts.map((part) => ({ values: part, isProject: source.type === "project" }));
  });
  return new PermissionChoice(sources, {
    cwd,
    userHome: userHome(env),
    tmpdir: env.TMPDIR,
    addedRoots: writableRoots,
    originOfWorktree: originOfWorktree(cwd, codexHome(env)),
    limits,
    ...reports,
    placeOf(path) {
      const found = winner(path);
      if (limits !== undefined && isRequired(path, limits)) return limits.placeOf(path);
      return found === undefined ? "config" : placeIn(found.layer, [...found.prefix, ...path]);
    },
    fileOf: (path) => {
      if (limits !== undefined && isRequired(path, limits)) return limits.file;
      const found = winner(path);
      return found && fileOf(found.layer.source);
    },
  });
}

/** Returns true if requirements.toml has a key, and not the user. */
function isRequired(path: readonly string[], { profiles, values }: Requirements): boolean {
  const [key, name = ""] = path;
  if (key === "permissions") return Object.hasOwn(profiles, name);
  return key === "default_permissions" && values.default_permissions !== undefined;
}

function modesOfProjects(layers: readonly EffectiveLayer[]): SandboxMode[] {
  return layers.flatMap(({ layer, values }) =>
    layer.source.type === "project" && values.sandbox_mode !== undefined
      ? [values.sandbox_mode as SandboxMode]
      : [],
  );
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
