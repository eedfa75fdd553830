import { CodexError } from "../protocol/error.js";
import type { ModelProvider } from "../protocol/model-provider.js";
import type { Environment } from "./home.js";
import type { Table } from "./table.js";

/** The provider of that name: from the config, or built in. */
export function resolveProvider(id: string, config: Table, env: Environment): ModelProvider {
  const builtIn = builtInProviders(env).get(id);
  if (builtIn !== undefined) return builtIn;
  const table = config.table("model_providers")?.table(id);
  if (table !== undefined) return readProvider(id, table);
  const known = [...builtInProviders(env).keys(), ...(config.table("model_providers")?.keys() ?? [])];
  const message = `Model provider \`${id}\` not found. Known are: ${known.join(", ")}`;
  throw new CodexError("config", message);
}

function readProvider(id: string, table: Table): ModelProvider {
  const optional = {
    base_url: table.string("base_url"),
    env_key: table.string("env_key"),
    env_key_instructions: table.string("env_key_instructions"),
    query_params: table.strings("query_params"),
    http_headers: table.strings("http_headers"),
    env_http_headers: table.strings("env_http_headers"),
  };
  const wireApi = table.oneOf("wire_api", ["responses", "chat"]);
  return {
    ...dropUndefined(optional),
    ...defaults,
    id,
    name: table.string("name") ?? id,
    wire_api: wireApi ?? "chat",
    request_max_retries: retries(table, "request_max_retries") ?? defaults.request_max_retries,
    stream_max_retries: retries(table, "stream_max_retries") ?? defaults.stream_max_retries,
    stream_idle_timeout_ms:
      table.integer("stream_idle_timeout_ms") ?? defaults.stream_idle_timeout_ms,
    requires_openai_auth: table.boolean("requires_openai_auth") ?? false,
    store: table.boolean("store") ?? false,
  };
}

function builtInProviders(env: Environment): Map<string, ModelProvider> {
  const openai: ModelProvider = {
    ...defaults,
    ...dropUndefined({ base_url: env.OPENAI_BASE_URL || undefined }),
    id: "openai",
    name: "OpenAI",
    wire_api: "responses",
    env_http_headers: {
      "OpenAI-Organization": "OPENAI_ORGANIZATION",
      "OpenAI-Project": "OPENAI_PROJECT",
    },
    requires_openai_auth: true,
    store: false,
  };
  return new Map([["openai", openai]]);
}

const defaults = {
  request_max_retries: 4,
  stream_max_retries: 5,
  stream_idle_timeout_ms: 300_000,
} as const;

const maxRetries = 100;

function retries(table: Table, key: string): number | undefined {
  const value = table.integer(key);
  return value === undefined ? undefined : Math.min(value, maxRetries);
}

function dropUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
