import type { V2Behavior } from "../../compat/index.js";
import { isRecord, type JsonRecord as Json } from "../../protocol/read/record.js";
import {
  knownKeys,
  laterDefaults,
  laterFields,
  nulls,
  profileKeys,
  providerFields,
} from "./config-keys.js";
import { toEraFields } from "./era-fields.js";

/** The settings as clients read them: every name they know is there, `null` when it is not set. */
export function toShownConfig(values: Json, behavior: V2Behavior): Json {
  const said = toJson(values);
  const shown = { ...nulls(knownKeys), ...said };
  const { sandbox_workspace_write: write, tools, analytics, profiles } = shown;
  const filled = {
    ...shown,
    sandbox_workspace_write: isRecord(write) ? { ...workspaceDefaults, ...write } : null,
    tools: isRecord(tools) ? toShownTools(tools, behavior) : null,
    analytics: isRecord(analytics) ? { enabled: null, ...analytics } : null,
    profiles: fillEach(profiles, nulls(profileKeys)),
  };
  const all = behavior.configView === "all" ? withDefaults(filled) : filled;
  return toEraFields(all, behavior.lacks.Config);
}

/** A table of settings as JSON; dates become text. */
export function toJson(values: Json): Json {
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

function toShownTools(tools: Json, { searchTool }: V2Behavior): Json {
  const { web_search = null, view_image = null } = tools;
  if (searchTool === "switch") return { web_search, view_image };
  const settings = { context_size: null, allowed_domains: null, location: null };
  return { web_search: isRecord(web_search) ? { ...settings, ...web_search } : null };
}

/** Says of what nobody has set what holds then. */
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
  };
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
