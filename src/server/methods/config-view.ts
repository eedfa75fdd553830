import type { Era } from "../../compat/index.js";
import { type ConfigLayer, itemOriginsOf, versionOf } from "../../config/index.js";
import { isRecord, type JsonRecord as Json } from "../../protocol/read/check.js";
import type {
  ConfigLayerMetadata,
  ConfigLayerSource,
  ConfigLayer as ShownLayer,
} from "../../protocol/rpc/v2/config.js";
import {
  knownKeys,
  laterDefaults,
  laterFields,
  nulls,
  profileFields,
  profileKeys,
  providerFields,
} from "./config-keys.js";

/** Returns the settings for clients: every key that they know, `null` if unset. */
export function toShownConfig(values: Json, era: Era): Json {
  const set = toJson(values);
  const shown = { ...nulls(knownKeys), ...set };
  const { sandbox_workspace_write: write, tools, analytics, profiles } = shown;
  const filled = {
    ...shown,
    sandbox_workspace_write: isRecord(write) ? { ...workspaceDefaults, ...write } : null,
    tools: isRecord(tools) ? toShownTools(tools, era) : null,
    analytics: isRecord(analytics) ? { enabled: null, ...analytics } : null,
    profiles: fillEach(profiles, nulls(profileKeys)),
  };
  return era.since["0.166"] ? withDefaults(filled) : filled;
}

/** Converts a table of settings to JSON; dates become strings. */
function toJson(values: Json): Json {
  return JSON.parse(JSON.stringify(values, (_, value) => plain(value))) as Json;
}

function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

const workspaceDefaults = {
  writable_roots: [],
  network_access: false,
  exclude_tmpdir_env_var: false,
  exclude_slash_tmp: false,
};

function toShownTools(tools: Json, era: Era): Json {
  const { web_search = null, view_image = null } = tools;
  if (!era.since["0.166"]) return { web_search, view_image };
  const settings = { context_size: null, allowed_domains: null, location: null };
  return { web_search: isRecord(web_search) ? { ...settings, ...web_search } : null };
}

/** Adds the defaults of unset settings. */
function withDefaults(shown: Json): Json {
  const all = { ...laterDefaults, ...shown };
  const tables = Object.entries(laterFields).map(([key, fields]) => {
    const own = all[key];
    return [key, { ...fields, ...(isRecord(own) ? own : {}) }];
  });
  return {
    ...all,
    ...Object.fromEntries(tables),
    model_providers: fillEach(all.model_providers, providerFields),
    permissions: isRecord(all.permissions) ? toShownProfiles(all.permissions) : null,
  };
}

/** Adds the unset fields of permission profiles. */
function toShownProfiles(profiles: Json): Json {
  const filled = Object.entries(fillEach(profiles, profileFields)).map(([name, profile]) => {
    if (!isRecord(profile) || !isRecord(profile.filesystem)) return [name, profile];
    return [name, { ...profile, filesystem: { glob_scan_max_depth: null, ...profile.filesystem } }];
  });
  return Object.fromEntries(filled);
}

function fillEach(tables: unknown, fields: Json): Json {
  if (!isRecord(tables)) return {};
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [
      name,
      isRecord(table) ? { ...fields, ...table } : table,
    ]),
  );
}

/** Converts the source of a layer to v2. */
export function toLayerName(source: ConfigLayer["source"]): ConfigLayerSource {
  if (source.type !== "user") return source;
  return { ...source, profile: source.profile ?? null };
}

/** Returns the origin of each setting, by its path. */
export async function toOrigins(
  layers: readonly ConfigLayer[],
): Promise<Record<string, ConfigLayerMetadata>> {
  const known = new Map<ConfigLayer, ConfigLayerMetadata>();
  for (const layer of layers) {
    const name = toLayerName(layer.source);
    known.set(layer, { name, version: await versionOf(layer.values) });
  }
  const origins: [string, ConfigLayerMetadata][] = [];
  for (const [path, layer] of itemOriginsOf(layers)) {
    const metadata = known.get(layer);
    if (metadata !== undefined) origins.push([path, metadata]);
  }
  return Object.fromEntries(origins);
}

/** Returns the layers, the one with the highest precedence first. */
export async function toShownLayers(layers: readonly ConfigLayer[]): Promise<ShownLayer[]> {
  const shown = layers.map(async ({ source, values, disabledReason }) => ({
    name: toLayerName(source),
    version: await versionOf(values),
    config: toJson(values),
    ...(disabledReason === undefined ? {} : { disabledReason }),
  }));
  return (await Promise.all(shown)).reverse();
}
