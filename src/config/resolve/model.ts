import { readFile } from "node:fs/promises";
import type { ModelProvider } from "../../protocol/config-types.js";
import { CodexError } from "../../protocol/error.js";
import type { Environment } from "../layers/home.js";
import type { ConfigBehavior } from "../schema/behavior.js";
import type { ConfigToml } from "../schema/config-toml.js";
import { defaults } from "../schema/defaults.generated.js";
import type { ProviderToml } from "../schema/provider.js";
import type { ModelConfig, ResolveContext } from "./config.js";

/** Model, provider and instructions. */
export async function resolveModel(
  values: ConfigToml,
  { env, behavior }: ResolveContext,
): Promise<ModelConfig> {
  const { model_instructions_file, experimental_compact_prompt_file } = values;
  const model = values.model ?? behavior.model;
  const providers = sharedProviders(values, env, behavior);
  const compactPrompt = values.compact_prompt?.trim() || undefined;
  return {
    model,
    review_model: values.review_model ?? behavior.reviewModel ?? model,
    provider: findProvider(values.model_provider ?? defaults.ConfigToml.model_provider, providers),
    providers,
    oss_provider: values.oss_provider,
    chatgpt_base_url: values.chatgpt_base_url ?? defaults.ConfigToml.chatgpt_base_url,
    model_context_window: values.model_context_window,
    model_max_output_tokens: values.model_max_output_tokens,
    model_auto_compact_token_limit: values.model_auto_compact_token_limit,
    model_reasoning_effort: values.model_reasoning_effort,
    model_reasoning_summary:
      values.model_reasoning_summary ?? defaults.ConfigToml.model_reasoning_summary,
    model_verbosity: values.model_verbosity,
    model_supports_reasoning_summaries: values.model_supports_reasoning_summaries,
    model_reasoning_summary_format: values.model_reasoning_summary_format,
    personality: values.personality,
    instructions: values.instructions,
    developer_instructions: values.developer_instructions,
    base_instructions: await readNamedText(model_instructions_file, "model_instructions_file"),
    compact_prompt:
      compactPrompt ??
      (await readNamedText(experimental_compact_prompt_file, "experimental_compact_prompt_file")),
  };
}

/** The last providers; sessions with equal settings share them. */
let recentProviders: { key: string; providers: ReadonlyMap<string, ModelProvider> } | undefined;

/** Variables that change providers. */
const providerVariables = ["OPENAI_BASE_URL", "CODEX_OSS_PORT", "CODEX_OSS_BASE_URL"] as const;

/** Returns the providers of the settings, from the last session if nothing about them has changed. */
function sharedProviders(
  values: ConfigToml,
  env: Environment,
  behavior: ConfigBehavior,
): ReadonlyMap<string, ModelProvider> {
  const { openai_base_url, features, model_providers } = values;
  const key = JSON.stringify([
    openai_base_url,
    features?.responses_websockets,
    model_providers,
    behavior.wireApi,
    providerVariables.map((name) => env[name]),
  ]);
  if (recentProviders?.key !== key) {
    recentProviders = { key, providers: resolveProviders(values, env, behavior) };
  }
  return recentProviders.providers;
}

/** Returns the built-in providers, which cannot be changed, those of the user, and presets for other ids. */
function resolveProviders(
  values: ConfigToml,
  env: Environment,
  behavior: ConfigBehavior,
): Map<string, ModelProvider> {
  const providers = builtInProviders(values, env);
  for (const [id, toml] of Object.entries(values.model_providers ?? {})) {
    if (!providers.has(id)) providers.set(id, toProvider(id, toml, behavior));
  }
  for (const preset of vendorPresets) {
    if (!providers.has(preset.id)) providers.set(preset.id, preset);
  }
  return providers;
}

/** Returns the provider of an id; throws if there is none. */
function findProvider(id: string, providers: ReadonlyMap<string, ModelProvider>): ModelProvider {
  const provider = providers.get(id);
  if (provider !== undefined) return provider;
  const known = [...providers.keys()].join(", ");
  throw new CodexError("config", `Model provider \`${id}\` not found. Known are: ${known}`, {
    data: { reason: "provider", provider: id },
  });
}

/** Fills in the defaults of a user's provider. */
function toProvider(id: string, toml: ProviderToml, behavior: ConfigBehavior): ModelProvider {
  const { experimental_bearer_token: token, supports_websockets, ...fields } = toml;
  const http_headers =
    token === undefined
      ? fields.http_headers
      : { ...fields.http_headers, Authorization: `Bearer ${token}` };
  return {
    ...common,
    ...fields,
    id,
    name: fields.name ?? id,
    wire_api: fields.wire_api ?? behavior.wireApi,
    request_max_retries: retries(fields.request_max_retries ?? common.request_max_retries),
    stream_max_retries: retries(fields.stream_max_retries ?? common.stream_max_retries),
    ...(http_headers === undefined ? {} : { http_headers }),
    ...(supports_websockets ? { supports_websockets } : {}),
  };
}

const {
  wire_api: _,
  supports_websockets: __,
  websocket_connect_timeout_ms: ___,
  ...common
} = defaults.ProviderToml;

const mostRetries = 100;

function retries(count: number): number {
  return Math.min(count, mostRetries);
}

function builtInProviders(values: ConfigToml, env: Environment): Map<string, ModelProvider> {
  const base_url = env.OPENAI_BASE_URL?.trim() || values.openai_base_url?.trim();
  const openai: ModelProvider = {
    ...common,
    ...(base_url ? { base_url } : {}),
    id: "openai",
    name: "OpenAI",
    wire_api: "responses",
    env_http_headers: {
      "OpenAI-Organization": "OPENAI_ORGANIZATION",
      "OpenAI-Project": "OPENAI_PROJECT",
    },
    requires_openai_auth: true,
    ...(values.features?.responses_websockets ? { supports_websockets: true } : {}),
  };
  const local = [
    localProvider("oss", ollamaPort, env),
    localProvider("ollama", ollamaPort, env),
    localProvider("lmstudio", lmStudioPort, env),
  ];
  return new Map([openai, ...local].map((provider) => [provider.id, provider]));
}

/** Vendors with an API of their own; homes may have providers with these ids. */
const vendorPresets: readonly ModelProvider[] = [
  {
    ...common,
    id: "anthropic",
    name: "Anthropic",
    wire_api: "anthropic",
    env_key: "ANTHROPIC_API_KEY",
  },
  { ...common, id: "gemini", name: "Gemini", wire_api: "gemini", env_key: "GEMINI_API_KEY" },
];

const ollamaPort = 11_434;
const lmStudioPort = 1234;

/** Returns the provider of a local model server. */
function localProvider(id: string, defaultPort: number, env: Environment): ModelProvider {
  const port = /^\d+$/.test(env.CODEX_OSS_PORT ?? "") ? env.CODEX_OSS_PORT : defaultPort;
  const base_url = env.CODEX_OSS_BASE_URL?.trim() || `http://localhost:${port}/v1`;
  return { ...common, id, name: "gpt-oss", base_url, wire_api: "responses" };
}

/** Reads the file that a setting names; throws if it is unreadable or empty. */
async function readNamedText(
  file: string | undefined,
  setting: string,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = (await readOrThrow(file, setting)).trim();
  if (text !== "") return text;
  throw new CodexError("config", `\`${setting}\`: ${file} is empty`, {
    data: { reason: "file", file },
  });
}

async function readOrThrow(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = (error as Error).message;
    throw new CodexError("config", `\`${setting}\`: cannot read ${file}: ${reason}`, {
      data: { reason: "file", file },
      cause: error,
    });
  }
}
