import type { V2Dialect } from "../../protocol/era.js";
import { isRecord, type JsonRecord as Json } from "../../protocol/read/record.js";
import { toEraFields } from "./era-fields.js";

/** The settings as clients read them: every name they know is there, `null` when it is not set. */
export function toShownConfig(values: Json, dialect: V2Dialect): Json {
  const shown = { ...nulls(knownKeys), ...toJson(values) };
  const { sandbox_workspace_write: write, tools, analytics, profiles } = shown;
  return toEraFields(
    {
      ...shown,
      sandbox_workspace_write: isRecord(write) ? { ...workspaceDefaults, ...write } : null,
      tools: isRecord(tools) ? toShownTools(tools, dialect) : null,
      analytics: isRecord(analytics) ? { enabled: null, ...analytics } : null,
      profiles: isRecord(profiles) ? withNulls(profiles) : {},
    },
    dialect.lacks.Config,
  );
}

/** A table of settings as JSON; dates become text. */
export function toJson(values: Json): Json {
  return JSON.parse(JSON.stringify(values, (_, value) => plain(value))) as Json;
}

function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

const knownKeys = [
  "model",
  "review_model",
  "model_context_window",
  "model_auto_compact_token_limit",
  "model_auto_compact_token_limit_scope",
  "model_provider",
  "approval_policy",
  "approvals_reviewer",
  "sandbox_mode",
  "sandbox_workspace_write",
  "forced_chatgpt_workspace_id",
  "forced_login_method",
  "web_search",
  "tools",
  "profile",
  "profiles",
  "instructions",
  "developer_instructions",
  "compact_prompt",
  "model_reasoning_effort",
  "model_reasoning_summary",
  "model_verbosity",
  "service_tier",
  "analytics",
  "apps",
  "browser_use",
  "computer_use",
  "desktop",
];

const profileKeys = [
  "model",
  "model_provider",
  "approval_policy",
  "model_reasoning_effort",
  "model_reasoning_summary",
  "model_verbosity",
  "web_search",
  "chatgpt_base_url",
];

const workspaceDefaults = {
  writable_roots: [],
  network_access: false,
  exclude_tmpdir_env_var: false,
  exclude_slash_tmp: false,
};

function toShownTools(tools: Json, { searchTool }: V2Dialect): Json {
  const { web_search = null, view_image = null } = tools;
  if (searchTool === "switch") return { web_search, view_image };
  const settings = { context_size: null, allowed_domains: null, location: null };
  return { web_search: isRecord(web_search) ? { ...settings, ...web_search } : null };
}

function withNulls(profiles: Json): Json {
  return Object.fromEntries(
    Object.entries(profiles).map(([name, profile]) => [
      name,
      isRecord(profile) ? { ...nulls(profileKeys), ...profile } : profile,
    ]),
  );
}

function nulls(keys: readonly string[]): Record<string, null> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}
